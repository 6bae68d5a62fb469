BEGIN TRANSACTION;
CREATE TABLE accounts (
	id INTEGER NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	known_as VARCHAR(80) NOT NULL, 
	password VARCHAR(200) NOT NULL, recovery VARCHAR(64) DEFAULT '' NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (known_as)
);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0006');
CREATE TABLE entries (
	game VARCHAR(16) NOT NULL, 
	version INTEGER NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	"by" VARCHAR(8) NOT NULL, 
	data TEXT NOT NULL, 
	how VARCHAR(8) NOT NULL, 
	note TEXT NOT NULL, 
	at DATETIME NOT NULL, sum VARCHAR(8) DEFAULT '' NOT NULL, 
	PRIMARY KEY (game, version), 
	FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO "entries" VALUES('iv6ijlaP06A',1,'answer','p1','{"do":"buy_local","local":"S4"}','person','','2026-11-17 12:00:00.000000','41b8dbd0');
INSERT INTO "entries" VALUES('iv6ijlaP06A',2,'answer','p3','{"do":"buy_local","local":"L1"}','person','','2026-11-17 12:00:00.000000','54a4eda0');
INSERT INTO "entries" VALUES('iv6ijlaP06A',3,'answer','p2','{"do":"buy_local","local":"L2"}','person','','2026-11-17 12:00:00.000000','837b724a');
INSERT INTO "entries" VALUES('iv6ijlaP06A',4,'answer','p2','{"do":"buy_local","local":"L3"}','person','','2026-11-17 12:00:00.000000','c5e4746f');
INSERT INTO "entries" VALUES('iv6ijlaP06A',5,'answer','p3','{"do":"buy_local","local":"L4"}','person','','2026-11-17 12:00:00.000000','af3bd797');
INSERT INTO "entries" VALUES('iv6ijlaP06A',6,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','4a737b1d');
INSERT INTO "entries" VALUES('iv6ijlaP06A',7,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','c88fce38');
INSERT INTO "entries" VALUES('iv6ijlaP06A',8,'answer','p3','{"do":"buy_local","local":"L5"}','person','','2026-11-17 12:00:00.000000','867ec75e');
INSERT INTO "entries" VALUES('iv6ijlaP06A',9,'answer','p2','{"do":"buy_local","local":"L6"}','person','','2026-11-17 12:00:00.000000','dc7d6991');
INSERT INTO "entries" VALUES('iv6ijlaP06A',10,'answer','p2','{"do":"buy_local","local":"M1"}','person','','2026-11-17 12:00:00.000000','ddc97855');
INSERT INTO "entries" VALUES('iv6ijlaP06A',11,'answer','p3','{"do":"buy_local","local":"M2"}','person','','2026-11-17 12:00:00.000000','19ee88b3');
INSERT INTO "entries" VALUES('iv6ijlaP06A',12,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','6e62c3b3');
INSERT INTO "entries" VALUES('iv6ijlaP06A',13,'answer','p1','{"do":"buy_local","local":"M3"}','person','','2026-11-17 12:00:00.000000','23d732a4');
INSERT INTO "entries" VALUES('iv6ijlaP06A',14,'answer','p3','{"do":"buy_local","local":"S1"}','person','','2026-11-17 12:00:00.000000','a22dd69d');
INSERT INTO "entries" VALUES('iv6ijlaP06A',15,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','fa6a4bcf');
INSERT INTO "entries" VALUES('iv6ijlaP06A',16,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','a45e4996');
INSERT INTO "entries" VALUES('iv6ijlaP06A',17,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','914f9c71');
INSERT INTO "entries" VALUES('iv6ijlaP06A',18,'answer','p1','{"do":"buy_local","local":"S3"}','person','','2026-11-17 12:00:00.000000','b823008c');
INSERT INTO "entries" VALUES('iv6ijlaP06A',19,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','aecfb759');
INSERT INTO "entries" VALUES('iv6ijlaP06A',20,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','9e3bb678');
INSERT INTO "entries" VALUES('iv6ijlaP06A',21,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','70a02b01');
INSERT INTO "entries" VALUES('iv6ijlaP06A',22,'answer','p3','{"do":"start_company","company":"EKJ","price":50}','person','','2026-11-17 12:00:00.000000','54b7008f');
INSERT INTO "entries" VALUES('iv6ijlaP06A',23,'answer','p2','{"do":"start_company","company":"OFE","price":65}','person','','2026-11-17 12:00:00.000000','386d9e58');
INSERT INTO "entries" VALUES('iv6ijlaP06A',24,'answer','p1','{"do":"buy_share","company":"OFE"}','person','','2026-11-17 12:00:00.000000','f0cb7d34');
INSERT INTO "entries" VALUES('iv6ijlaP06A',25,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','ac02459f');
INSERT INTO "entries" VALUES('iv6ijlaP06A',26,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','ba6b820d');
INSERT INTO "entries" VALUES('iv6ijlaP06A',27,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','12b7c997');
INSERT INTO "entries" VALUES('iv6ijlaP06A',28,'answer','p2','{"do":"lay_tile","hex":"C25","tile":"201","rotation":0}','person','','2026-11-17 12:00:00.000000','6afacc39');
INSERT INTO "entries" VALUES('iv6ijlaP06A',29,'answer','p2','{"do":"lay_tile","hex":"C23","tile":"6","rotation":4}','person','','2026-11-17 12:00:00.000000','ec191d98');
INSERT INTO "entries" VALUES('iv6ijlaP06A',30,'answer','p2','{"do":"place_station","city":"C23.0"}','person','','2026-11-17 12:00:00.000000','4c6473c2');
INSERT INTO "entries" VALUES('iv6ijlaP06A',31,'answer','p2','{"do":"run_trains","runs":[]}','person','','2026-11-17 12:00:00.000000','f32704cd');
INSERT INTO "entries" VALUES('iv6ijlaP06A',32,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','50efee3f');
INSERT INTO "entries" VALUES('iv6ijlaP06A',33,'answer','p2','{"do":"buy_train","card":"a1","face":"2"}','person','','2026-11-17 12:00:00.000000','e12a75c0');
INSERT INTO "entries" VALUES('iv6ijlaP06A',34,'answer','p2','{"do":"buy_train","card":"a2","face":"2"}','person','','2026-11-17 12:00:00.000000','21c5248e');
INSERT INTO "entries" VALUES('iv6ijlaP06A',35,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','07c1f8d4');
INSERT INTO "entries" VALUES('iv6ijlaP06A',36,'answer','p3','{"do":"lay_tile","hex":"D4","tile":"6","rotation":5}','person','','2026-11-17 12:00:00.000000','8ab4cce6');
INSERT INTO "entries" VALUES('iv6ijlaP06A',37,'answer','p3','{"do":"lay_tile","hex":"D2","tile":"5","rotation":3}','person','','2026-11-17 12:00:00.000000','913f6fba');
INSERT INTO "entries" VALUES('iv6ijlaP06A',38,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','5a13aba5');
INSERT INTO "entries" VALUES('iv6ijlaP06A',39,'answer','p3','{"do":"run_trains","runs":[]}','person','','2026-11-17 12:00:00.000000','2f1dcf03');
INSERT INTO "entries" VALUES('iv6ijlaP06A',40,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','417a5215');
INSERT INTO "entries" VALUES('iv6ijlaP06A',41,'answer','p3','{"do":"buy_train","card":"a3","face":"2"}','person','','2026-11-17 12:00:00.000000','a83df353');
INSERT INTO "entries" VALUES('iv6ijlaP06A',42,'answer','p3','{"do":"buy_train","card":"a4","face":"2"}','person','','2026-11-17 12:00:00.000000','34691db2');
INSERT INTO "entries" VALUES('iv6ijlaP06A',43,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','1118ca99');
INSERT INTO "entries" VALUES('iv6ijlaP06A',44,'answer','p1','{"do":"start_company","company":"MW","price":60}','person','','2026-11-17 12:00:00.000000','c7cec463');
INSERT INTO "entries" VALUES('iv6ijlaP06A',45,'answer','p3','{"do":"buy_share","company":"MW"}','person','','2026-11-17 12:00:00.000000','1176952f');
INSERT INTO "entries" VALUES('iv6ijlaP06A',46,'answer','p2','{"do":"buy_share","company":"OFE"}','person','','2026-11-17 12:00:00.000000','de469fb5');
INSERT INTO "entries" VALUES('iv6ijlaP06A',47,'answer','p1','{"do":"buy_share","company":"EKJ"}','person','','2026-11-17 12:00:00.000000','30101cd5');
INSERT INTO "entries" VALUES('iv6ijlaP06A',48,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','1162e2b7');
INSERT INTO "entries" VALUES('iv6ijlaP06A',49,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','692e66bf');
INSERT INTO "entries" VALUES('iv6ijlaP06A',50,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','6e90209b');
INSERT INTO "entries" VALUES('iv6ijlaP06A',51,'answer','p2','{"do":"lay_tile","hex":"D22","tile":"9","rotation":0}','person','','2026-11-17 12:00:00.000000','8bfee897');
INSERT INTO "entries" VALUES('iv6ijlaP06A',52,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','12cdc5b7');
INSERT INTO "entries" VALUES('iv6ijlaP06A',53,'answer','p2','{"do":"run_trains","runs":[{"card":"a1","path":["C23.0","C25.0"]}]}','person','','2026-11-17 12:00:00.000000','f2c7030b');
INSERT INTO "entries" VALUES('iv6ijlaP06A',54,'answer','p2','{"do":"pay_out"}','person','','2026-11-17 12:00:00.000000','e5b6c122');
INSERT INTO "entries" VALUES('iv6ijlaP06A',55,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','c92583ad');
INSERT INTO "entries" VALUES('iv6ijlaP06A',56,'answer','p2','{"do":"buy_train","card":"b1","face":"2"}','person','','2026-11-17 12:00:00.000000','54cc63a1');
INSERT INTO "entries" VALUES('iv6ijlaP06A',57,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','bdb67967');
INSERT INTO "entries" VALUES('iv6ijlaP06A',58,'answer','p1','{"do":"offer_for_local","local":"S3","price":4}','person','','2026-11-17 12:00:00.000000','96b90439');
INSERT INTO "entries" VALUES('iv6ijlaP06A',59,'answer','p1','{"do":"lay_tile","hex":"F22","tile":"5","rotation":1}','person','','2026-11-17 12:00:00.000000','6185863e');
INSERT INTO "entries" VALUES('iv6ijlaP06A',60,'answer','p1','{"do":"lay_tile","hex":"F20","tile":"2","rotation":2}','person','','2026-11-17 12:00:00.000000','d4050b6b');
INSERT INTO "entries" VALUES('iv6ijlaP06A',61,'answer','p1','{"do":"offer_for_local","local":"S1","price":12}','person','','2026-11-17 12:00:00.000000','19129b9a');
INSERT INTO "entries" VALUES('iv6ijlaP06A',62,'answer','p3','{"do":"decline"}','person','','2026-11-17 12:00:00.000000','fa7d4fd0');
INSERT INTO "entries" VALUES('iv6ijlaP06A',63,'answer','p1','{"do":"offer_for_local","local":"S1","price":29}','person','','2026-11-17 12:00:00.000000','e1479fc4');
INSERT INTO "entries" VALUES('iv6ijlaP06A',64,'answer','p3','{"do":"decline"}','person','','2026-11-17 12:00:00.000000','5333c317');
INSERT INTO "entries" VALUES('iv6ijlaP06A',65,'answer','p1','{"do":"sell_local","local":"S3"}','person','','2026-11-17 12:00:00.000000','388b190f');
INSERT INTO "entries" VALUES('iv6ijlaP06A',66,'answer','p1','{"do":"offer_for_local","local":"S4","price":1}','person','','2026-11-17 12:00:00.000000','4656be86');
INSERT INTO "entries" VALUES('iv6ijlaP06A',67,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','ccb706c9');
INSERT INTO "entries" VALUES('iv6ijlaP06A',68,'answer','p1','{"do":"sell_local","local":"S4"}','person','','2026-11-17 12:00:00.000000','9ccc8fda');
INSERT INTO "entries" VALUES('iv6ijlaP06A',69,'answer','p1','{"do":"run_trains","runs":[]}','person','','2026-11-17 12:00:00.000000','59761873');
INSERT INTO "entries" VALUES('iv6ijlaP06A',70,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','377d48e2');
INSERT INTO "entries" VALUES('iv6ijlaP06A',71,'answer','p1','{"do":"buy_train","card":"b2","face":"2"}','person','','2026-11-17 12:00:00.000000','4b1e43b4');
INSERT INTO "entries" VALUES('iv6ijlaP06A',72,'answer','p1','{"do":"buy_train","card":"b3","face":"2"}','person','','2026-11-17 12:00:00.000000','57399efd');
INSERT INTO "entries" VALUES('iv6ijlaP06A',73,'answer','p1','{"do":"offer_for_local","local":"S1","price":30}','person','','2026-11-17 12:00:00.000000','6f54cd6a');
INSERT INTO "entries" VALUES('iv6ijlaP06A',74,'answer','p3','{"do":"decline"}','person','','2026-11-17 12:00:00.000000','f1eab1ee');
INSERT INTO "entries" VALUES('iv6ijlaP06A',75,'answer','p1','{"do":"buy_train","card":"b4","face":"2"}','person','','2026-11-17 12:00:00.000000','51a1d4ef');
INSERT INTO "entries" VALUES('iv6ijlaP06A',76,'answer','p1','{"do":"offer_for_local","local":"S1","price":34}','person','','2026-11-17 12:00:00.000000','cbbc01d4');
INSERT INTO "entries" VALUES('iv6ijlaP06A',77,'answer','p3','{"do":"decline"}','person','','2026-11-17 12:00:00.000000','b5cdcafc');
INSERT INTO "entries" VALUES('iv6ijlaP06A',78,'answer','p1','{"do":"offer_for_local","local":"S1","price":35}','person','','2026-11-17 12:00:00.000000','939c19b3');
INSERT INTO "entries" VALUES('iv6ijlaP06A',79,'answer','p3','{"do":"decline"}','person','','2026-11-17 12:00:00.000000','93557dd3');
INSERT INTO "entries" VALUES('iv6ijlaP06A',80,'answer','p1','{"do":"offer_for_local","local":"S1","price":42}','person','','2026-11-17 12:00:00.000000','f6d6190a');
INSERT INTO "entries" VALUES('iv6ijlaP06A',81,'answer','p3','{"do":"accept"}','person','','2026-11-17 12:00:00.000000','90b96840');
INSERT INTO "entries" VALUES('iv6ijlaP06A',82,'answer','p1','{"do":"sell_local","local":"S1"}','person','','2026-11-17 12:00:00.000000','02bb90f0');
INSERT INTO "entries" VALUES('iv6ijlaP06A',83,'answer','p1','{"do":"pass"}','obvious','no train can be bought','2026-11-17 12:00:00.000000','cffa4285');
INSERT INTO "entries" VALUES('iv6ijlaP06A',84,'answer','p3','{"do":"lay_tile","hex":"E5","tile":"9","rotation":2}','person','','2026-11-17 12:00:00.000000','37540193');
INSERT INTO "entries" VALUES('iv6ijlaP06A',85,'answer','p3','{"do":"pass"}','obvious','no station can be placed','2026-11-17 12:00:00.000000','d7ee8f5a');
INSERT INTO "entries" VALUES('iv6ijlaP06A',86,'answer','p3','{"do":"run_trains","runs":[{"card":"a3","path":["D2.0","D4.0"]}]}','person','','2026-11-17 12:00:00.000000','bcead9c6');
INSERT INTO "entries" VALUES('iv6ijlaP06A',87,'answer','p3','{"do":"withhold"}','person','','2026-11-17 12:00:00.000000','6f118ab8');
INSERT INTO "entries" VALUES('iv6ijlaP06A',88,'answer','p3','{"do":"pass"}','obvious','no company can be taken over','2026-11-17 12:00:00.000000','888b7b17');
INSERT INTO "entries" VALUES('iv6ijlaP06A',89,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','60db4fbc');
INSERT INTO "entries" VALUES('iv6ijlaP06A',90,'answer','p1','{"do":"buy_share","company":"MW"}','person','','2026-11-17 12:00:00.000000','ccc031ef');
INSERT INTO "entries" VALUES('iv6ijlaP06A',91,'answer','p3','{"do":"start_company","company":"KFN","price":70}','person','','2026-11-17 12:00:00.000000','7e9609b3');
INSERT INTO "entries" VALUES('iv6ijlaP06A',92,'answer','p2','{"do":"start_company","company":"VBW","price":60}','person','','2026-11-17 12:00:00.000000','6714b47b');
INSERT INTO "entries" VALUES('iv6ijlaP06A',93,'answer','p1','{"do":"sell_shares","company":"OFE","percent":25}','person','','2026-11-17 12:00:00.000000','2adeecf6');
INSERT INTO "entries" VALUES('iv6ijlaP06A',94,'answer','p1','{"do":"sell_shares","company":"EKJ","percent":25}','person','','2026-11-17 12:00:00.000000','8c53785a');
INSERT INTO "entries" VALUES('iv6ijlaP06A',95,'answer','p1','{"do":"buy_share","company":"VBW"}','person','','2026-11-17 12:00:00.000000','0604fbf0');
INSERT INTO "entries" VALUES('iv6ijlaP06A',96,'answer','p3','{"do":"sell_shares","company":"MW","percent":25}','person','','2026-11-17 12:00:00.000000','2e229808');
INSERT INTO "entries" VALUES('iv6ijlaP06A',97,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','a0bb2e54');
INSERT INTO "entries" VALUES('iv6ijlaP06A',98,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','fb52a15f');
INSERT INTO "entries" VALUES('iv6ijlaP06A',99,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','aef3d9ff');
INSERT INTO "entries" VALUES('iv6ijlaP06A',100,'answer','p3','{"do":"buy_share","company":"EKJ"}','person','','2026-11-17 12:00:00.000000','a77a6653');
INSERT INTO "entries" VALUES('iv6ijlaP06A',101,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','ecced7c0');
INSERT INTO "entries" VALUES('iv6ijlaP06A',102,'answer','p1','{"do":"buy_share","company":"KFN"}','person','','2026-11-17 12:00:00.000000','2fa234a3');
INSERT INTO "entries" VALUES('iv6ijlaP06A',103,'answer','p3','{"do":"sell_shares","company":"EKJ","percent":25}','person','','2026-11-17 12:00:00.000000','d72bbc75');
INSERT INTO "entries" VALUES('iv6ijlaP06A',104,'answer','p3','{"do":"pass"}','obvious','no share can be bought or sold','2026-11-17 12:00:00.000000','d476123b');
INSERT INTO "entries" VALUES('iv6ijlaP06A',105,'answer','p2','{"do":"sell_shares","company":"OFE","percent":25}','person','','2026-11-17 12:00:00.000000','236ec86e');
INSERT INTO "entries" VALUES('iv6ijlaP06A',106,'answer','p2','{"do":"buy_share","company":"VBW"}','person','','2026-11-17 12:00:00.000000','5ed29908');
INSERT INTO "entries" VALUES('iv6ijlaP06A',107,'answer','p1','{"do":"sell_shares","company":"MW","percent":25}','person','','2026-11-17 12:00:00.000000','0a383992');
INSERT INTO "entries" VALUES('iv6ijlaP06A',108,'answer','p1','{"do":"sell_shares","company":"KFN","percent":20}','person','','2026-11-17 12:00:00.000000','60192e72');
INSERT INTO "entries" VALUES('iv6ijlaP06A',109,'answer','p1','{"do":"sell_shares","company":"VBW","percent":25}','person','','2026-11-17 12:00:00.000000','e884f45e');
INSERT INTO "entries" VALUES('iv6ijlaP06A',110,'answer','p1','{"do":"start_company","company":"BTE","price":90}','person','','2026-11-17 12:00:00.000000','0836148f');
INSERT INTO "entries" VALUES('iv6ijlaP06A',111,'answer','p3','{"do":"pass"}','obvious','no share can be bought or sold','2026-11-17 12:00:00.000000','84a87336');
INSERT INTO "entries" VALUES('iv6ijlaP06A',112,'answer','p2','{"do":"sell_shares","company":"VBW","percent":25}','person','','2026-11-17 12:00:00.000000','974f19a6');
INSERT INTO "entries" VALUES('iv6ijlaP06A',113,'answer','p2','{"do":"buy_share","company":"MW"}','person','','2026-11-17 12:00:00.000000','ec75c6dd');
INSERT INTO "entries" VALUES('iv6ijlaP06A',114,'answer','p1','{"do":"pass"}','obvious','no share can be bought or sold','2026-11-17 12:00:00.000000','6f518a2b');
INSERT INTO "entries" VALUES('iv6ijlaP06A',115,'answer','p3','{"do":"buy_share","company":"VBW"}','person','','2026-11-17 12:00:00.000000','ba9c1383');
INSERT INTO "entries" VALUES('iv6ijlaP06A',116,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','1c051b6f');
INSERT INTO "entries" VALUES('iv6ijlaP06A',117,'answer','p1','{"do":"pass"}','obvious','no share can be bought or sold','2026-11-17 12:00:00.000000','56d5179a');
INSERT INTO "entries" VALUES('iv6ijlaP06A',118,'undo','p2','115','person','','2026-11-17 12:00:00.000000','09284537');
INSERT INTO "entries" VALUES('GyXAWne3Nis',1,'answer','p1','{"do":"draft_minor","minor":"11"}','person','','2026-11-17 12:00:00.000000','e4b96934');
INSERT INTO "entries" VALUES('GyXAWne3Nis',2,'answer','p3','{"do":"draft_minor","minor":"1"}','person','','2026-11-17 12:00:00.000000','12f45f5c');
INSERT INTO "entries" VALUES('GyXAWne3Nis',3,'answer','p4','{"do":"draft_share","major":"SIK"}','person','','2026-11-17 12:00:00.000000','d4fb211a');
INSERT INTO "entries" VALUES('GyXAWne3Nis',4,'answer','p2','{"do":"draft_minor","minor":"7"}','person','','2026-11-17 12:00:00.000000','e95904c7');
INSERT INTO "entries" VALUES('GyXAWne3Nis',5,'answer','p5','{"do":"draft_minor","minor":"4"}','person','','2026-11-17 12:00:00.000000','374496fc');
INSERT INTO "entries" VALUES('GyXAWne3Nis',6,'answer','p3','{"do":"draft_minor","minor":"6"}','person','','2026-11-17 12:00:00.000000','3ae0c9ac');
INSERT INTO "entries" VALUES('GyXAWne3Nis',7,'answer','p4','{"do":"draft_share","major":"SNW"}','person','','2026-11-17 12:00:00.000000','9ec5d5a9');
INSERT INTO "entries" VALUES('GyXAWne3Nis',8,'answer','p2','{"do":"draft_share","major":"SzKÉV"}','person','','2026-11-17 12:00:00.000000','0f5b3751');
INSERT INTO "entries" VALUES('GyXAWne3Nis',9,'answer','p5','{"do":"draft_minor","minor":"3"}','person','','2026-11-17 12:00:00.000000','96e103c3');
INSERT INTO "entries" VALUES('GyXAWne3Nis',10,'answer','p1','{"do":"draft_minor","minor":"10"}','person','','2026-11-17 12:00:00.000000','7faa2a9b');
INSERT INTO "entries" VALUES('GyXAWne3Nis',11,'answer','p4','{"do":"draft_minor","minor":"13"}','person','','2026-11-17 12:00:00.000000','b0a93ea5');
INSERT INTO "entries" VALUES('GyXAWne3Nis',12,'answer','p2','{"do":"draft_minor","minor":"8"}','person','','2026-11-17 12:00:00.000000','fc682435');
INSERT INTO "entries" VALUES('GyXAWne3Nis',13,'answer','p5','{"do":"draft_share","major":"G&C"}','person','','2026-11-17 12:00:00.000000','efd8b67e');
INSERT INTO "entries" VALUES('GyXAWne3Nis',14,'answer','p1','{"do":"draft_share","major":"G&C"}','person','','2026-11-17 12:00:00.000000','ef4449e5');
INSERT INTO "entries" VALUES('GyXAWne3Nis',15,'answer','p3','{"do":"draft_share","major":"LdStEG"}','person','','2026-11-17 12:00:00.000000','78668a77');
INSERT INTO "entries" VALUES('GyXAWne3Nis',16,'answer','p2','{"do":"draft_share","major":"LdStEG"}','person','','2026-11-17 12:00:00.000000','64d88304');
INSERT INTO "entries" VALUES('GyXAWne3Nis',17,'answer','p5','{"do":"draft_share","major":"MÁVAG"}','person','','2026-11-17 12:00:00.000000','d8694eed');
INSERT INTO "entries" VALUES('GyXAWne3Nis',18,'answer','p1','{"do":"draft_share","major":"MÁVAG"}','person','','2026-11-17 12:00:00.000000','23a62a84');
INSERT INTO "entries" VALUES('GyXAWne3Nis',19,'answer','p3','{"do":"draft_share","major":"SNW"}','person','','2026-11-17 12:00:00.000000','c155220f');
INSERT INTO "entries" VALUES('GyXAWne3Nis',20,'answer','p4','{"do":"draft_minor","minor":"9"}','person','','2026-11-17 12:00:00.000000','23d7a4ba');
INSERT INTO "entries" VALUES('GyXAWne3Nis',21,'answer','p3','{"do":"lay_tile","hex":"D13","tile":"58","rotation":4,"token":false}','person','','2026-11-17 12:00:00.000000','46c56896');
INSERT INTO "entries" VALUES('GyXAWne3Nis',22,'answer','p3','{"do":"lay_tile","hex":"E12","tile":"L33","rotation":2,"token":false}','person','','2026-11-17 12:00:00.000000','b3b99afa');
INSERT INTO "entries" VALUES('GyXAWne3Nis',23,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','d0001617');
INSERT INTO "entries" VALUES('GyXAWne3Nis',24,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','278a11dc');
INSERT INTO "entries" VALUES('GyXAWne3Nis',25,'answer','p3','{"do":"run_trains","runs":[{"card":"2-2","path":["D13.0","E12.0"],"cars":[]}]}','person','','2026-11-17 12:00:00.000000','27375d04');
INSERT INTO "entries" VALUES('GyXAWne3Nis',26,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','92a07b26');
INSERT INTO "entries" VALUES('GyXAWne3Nis',27,'answer','p5','{"do":"lay_tile","hex":"E10","tile":"57","rotation":2,"token":false}','person','','2026-11-17 12:00:00.000000','9b2e78c1');
INSERT INTO "entries" VALUES('GyXAWne3Nis',28,'answer','p5','{"do":"lay_tile","hex":"F11","tile":"7","rotation":2,"token":false}','person','','2026-11-17 12:00:00.000000','2cd00972');
INSERT INTO "entries" VALUES('GyXAWne3Nis',29,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','4b22ab16');
INSERT INTO "entries" VALUES('GyXAWne3Nis',30,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','13aac4ec');
INSERT INTO "entries" VALUES('GyXAWne3Nis',31,'answer','p5','{"do":"run_trains","runs":[{"card":"2-6","path":["E10.0","F11","E12.1"],"cars":[]}]}','person','','2026-11-17 12:00:00.000000','142cf20d');
INSERT INTO "entries" VALUES('GyXAWne3Nis',32,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','c9a39ce7');
INSERT INTO "entries" VALUES('GyXAWne3Nis',33,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','10c0d076');
INSERT INTO "entries" VALUES('GyXAWne3Nis',34,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','e5a01737');
INSERT INTO "entries" VALUES('GyXAWne3Nis',35,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','ada2306d');
INSERT INTO "entries" VALUES('GyXAWne3Nis',36,'answer','p5','{"do":"run_trains","runs":[]}','person','','2026-11-17 12:00:00.000000','b21027a1');
INSERT INTO "entries" VALUES('GyXAWne3Nis',37,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','2d2cb626');
INSERT INTO "entries" VALUES('GyXAWne3Nis',38,'answer','p3','{"do":"lay_tile","hex":"B17","tile":"5","rotation":5,"token":true}','person','','2026-11-17 12:00:00.000000','23a74d82');
INSERT INTO "entries" VALUES('GyXAWne3Nis',39,'answer','p3','{"do":"lay_tile","hex":"C16","tile":"57","rotation":0,"token":false}','person','','2026-11-17 12:00:00.000000','885b1840');
INSERT INTO "entries" VALUES('GyXAWne3Nis',40,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','11685178');
INSERT INTO "entries" VALUES('GyXAWne3Nis',41,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','1801c5d6');
INSERT INTO "entries" VALUES('GyXAWne3Nis',42,'answer','p3','{"do":"run_trains","runs":[{"card":"2-5","path":["B17.0","C16.0"],"cars":[]}]}','person','','2026-11-17 12:00:00.000000','4be679b4');
INSERT INTO "entries" VALUES('GyXAWne3Nis',43,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','e85b5ced');
INSERT INTO "entries" VALUES('GyXAWne3Nis',44,'answer','p2','{"do":"lay_tile","hex":"G10","tile":"L32","rotation":1,"token":false}','person','','2026-11-17 12:00:00.000000','aaaf0a56');
INSERT INTO "entries" VALUES('GyXAWne3Nis',45,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','39128f96');
INSERT INTO "entries" VALUES('GyXAWne3Nis',46,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','a06f36a9');
INSERT INTO "entries" VALUES('GyXAWne3Nis',47,'answer','p2','{"do":"scrap_train","card":"2-3"}','person','','2026-11-17 12:00:00.000000','4194316b');
INSERT INTO "entries" VALUES('GyXAWne3Nis',48,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','eaa3a73c');
INSERT INTO "entries" VALUES('GyXAWne3Nis',49,'answer','p2','{"do":"run_trains","runs":[]}','person','','2026-11-17 12:00:00.000000','5324dd5a');
INSERT INTO "entries" VALUES('GyXAWne3Nis',50,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','b1b2668a');
INSERT INTO "entries" VALUES('GyXAWne3Nis',51,'answer','p2','{"do":"lay_tile","hex":"H5","tile":"6","rotation":2,"token":false}','person','','2026-11-17 12:00:00.000000','f6f9c379');
INSERT INTO "entries" VALUES('GyXAWne3Nis',52,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','fb933dc1');
INSERT INTO "entries" VALUES('GyXAWne3Nis',53,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','b7456dc7');
INSERT INTO "entries" VALUES('GyXAWne3Nis',54,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','e2b4cdb4');
INSERT INTO "entries" VALUES('GyXAWne3Nis',55,'answer','p2','{"do":"run_trains","runs":[]}','person','','2026-11-17 12:00:00.000000','ce1f8a4c');
INSERT INTO "entries" VALUES('GyXAWne3Nis',56,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','c2c42717');
INSERT INTO "entries" VALUES('GyXAWne3Nis',57,'answer','p4','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','b9fa07c6');
INSERT INTO "entries" VALUES('GyXAWne3Nis',58,'answer','p4','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','7bccd02f');
INSERT INTO "entries" VALUES('GyXAWne3Nis',59,'answer','p4','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','e77c15aa');
INSERT INTO "entries" VALUES('GyXAWne3Nis',60,'answer','p4','{"do":"run_trains","runs":[]}','person','','2026-11-17 12:00:00.000000','d81e5bf3');
INSERT INTO "entries" VALUES('GyXAWne3Nis',61,'answer','p4','{"do":"offer_for_train","card":"2-2","price":6}','person','','2026-11-17 12:00:00.000000','d208b244');
INSERT INTO "entries" VALUES('GyXAWne3Nis',62,'answer','p3','{"do":"decline"}','person','','2026-11-17 12:00:00.000000','64bd3203');
INSERT INTO "entries" VALUES('GyXAWne3Nis',63,'answer','p4','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','75bef27e');
INSERT INTO "entries" VALUES('GyXAWne3Nis',64,'answer','p1','{"do":"lay_tile","hex":"H17","tile":"5","rotation":2,"token":false}','person','','2026-11-17 12:00:00.000000','a3b53762');
INSERT INTO "entries" VALUES('GyXAWne3Nis',65,'answer','p1','{"do":"lay_tile","hex":"G16","tile":"6","rotation":5,"token":false}','person','','2026-11-17 12:00:00.000000','4032bd92');
INSERT INTO "entries" VALUES('GyXAWne3Nis',66,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','3262118b');
INSERT INTO "entries" VALUES('GyXAWne3Nis',67,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','464b249b');
INSERT INTO "entries" VALUES('GyXAWne3Nis',68,'answer','p1','{"do":"run_trains","runs":[{"card":"2-7","path":["G16.0","H17.0"],"cars":[]}]}','person','','2026-11-17 12:00:00.000000','8f7bd90c');
INSERT INTO "entries" VALUES('GyXAWne3Nis',69,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','be466e4c');
INSERT INTO "entries" VALUES('GyXAWne3Nis',70,'answer','p1','{"do":"lay_tile","hex":"D7","tile":"6","rotation":2,"token":false}','person','','2026-11-17 12:00:00.000000','e0f59e8a');
INSERT INTO "entries" VALUES('GyXAWne3Nis',71,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','7538d950');
INSERT INTO "entries" VALUES('GyXAWne3Nis',72,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','16eabd2a');
INSERT INTO "entries" VALUES('GyXAWne3Nis',73,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','409d8ef6');
INSERT INTO "entries" VALUES('GyXAWne3Nis',74,'answer','p1','{"do":"buy_car","car":"off_board"}','person','','2026-11-17 12:00:00.000000','7580bbb7');
INSERT INTO "entries" VALUES('GyXAWne3Nis',75,'answer','p1','{"do":"run_trains","runs":[{"card":"2-1","path":["C6.0","D7.0"],"cars":["off_board"]}]}','person','','2026-11-17 12:00:00.000000','59cb468f');
INSERT INTO "entries" VALUES('GyXAWne3Nis',76,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','ad7118ac');
INSERT INTO "entries" VALUES('GyXAWne3Nis',77,'answer','p4','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','a36e0f8b');
INSERT INTO "entries" VALUES('GyXAWne3Nis',78,'answer','p4','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','4a91f5ff');
INSERT INTO "entries" VALUES('GyXAWne3Nis',79,'answer','p4','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','d231e807');
INSERT INTO "entries" VALUES('GyXAWne3Nis',80,'answer','p4','{"do":"run_trains","runs":[]}','person','','2026-11-17 12:00:00.000000','58c79159');
INSERT INTO "entries" VALUES('GyXAWne3Nis',81,'answer','p4','{"do":"offer_for_train","card":"2-1","price":4}','person','','2026-11-17 12:00:00.000000','853ee926');
INSERT INTO "entries" VALUES('GyXAWne3Nis',82,'answer','p1','{"do":"decline"}','person','','2026-11-17 12:00:00.000000','438a4d12');
INSERT INTO "entries" VALUES('GyXAWne3Nis',83,'answer','p4','{"do":"offer_for_train","card":"2-1","price":7}','person','','2026-11-17 12:00:00.000000','17cfe956');
INSERT INTO "entries" VALUES('GyXAWne3Nis',84,'answer','p1','{"do":"decline"}','person','','2026-11-17 12:00:00.000000','aca8e5a4');
INSERT INTO "entries" VALUES('GyXAWne3Nis',85,'answer','p4','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','b47be828');
INSERT INTO "entries" VALUES('GyXAWne3Nis',86,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','09b808bb');
INSERT INTO "entries" VALUES('GyXAWne3Nis',87,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','8e510f6d');
INSERT INTO "entries" VALUES('GyXAWne3Nis',88,'answer','p1','{"do":"buy_share","major":"LdStEG"}','person','','2026-11-17 12:00:00.000000','d38fb9d7');
INSERT INTO "entries" VALUES('GyXAWne3Nis',89,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','50b57787');
INSERT INTO "entries" VALUES('GyXAWne3Nis',90,'answer','p4','{"do":"sell_shares","major":"SNW","percent":10}','person','','2026-11-17 12:00:00.000000','99025e17');
INSERT INTO "entries" VALUES('GyXAWne3Nis',91,'answer','p4','{"do":"sell_shares","major":"SIK","percent":10}','person','','2026-11-17 12:00:00.000000','72ed091e');
INSERT INTO "entries" VALUES('GyXAWne3Nis',92,'answer','p4','{"do":"buy_share","major":"LdStEG"}','person','','2026-11-17 12:00:00.000000','d568e360');
INSERT INTO "entries" VALUES('GyXAWne3Nis',93,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','1a52cd9d');
INSERT INTO "entries" VALUES('GyXAWne3Nis',94,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','7da4f1f3');
INSERT INTO "entries" VALUES('GyXAWne3Nis',95,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','c0c9ab3d');
INSERT INTO "entries" VALUES('GyXAWne3Nis',96,'answer','p3','{"do":"sell_shares","major":"SNW","percent":10}','person','','2026-11-17 12:00:00.000000','6778519d');
INSERT INTO "entries" VALUES('GyXAWne3Nis',97,'answer','p3','{"do":"buy_share","major":"RÁBA"}','person','','2026-11-17 12:00:00.000000','1c86b610');
INSERT INTO "entries" VALUES('GyXAWne3Nis',98,'answer','p4','{"do":"buy_share","major":"G&C"}','person','','2026-11-17 12:00:00.000000','b7292017');
INSERT INTO "entries" VALUES('GyXAWne3Nis',99,'answer','p2','{"do":"sell_shares","major":"SzKÉV","percent":10}','person','','2026-11-17 12:00:00.000000','f8f640aa');
INSERT INTO "entries" VALUES('GyXAWne3Nis',100,'answer','p2','{"do":"buy_share","major":"SIK"}','person','','2026-11-17 12:00:00.000000','ccffb151');
INSERT INTO "entries" VALUES('GyXAWne3Nis',101,'answer','p5','{"do":"sell_shares","major":"MÁVAG","percent":10}','person','','2026-11-17 12:00:00.000000','f1b26653');
INSERT INTO "entries" VALUES('GyXAWne3Nis',102,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','b9edbe21');
INSERT INTO "entries" VALUES('GyXAWne3Nis',103,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','8f81717e');
INSERT INTO "entries" VALUES('GyXAWne3Nis',104,'answer','p3','{"do":"sell_shares","major":"RÁBA","percent":10}','person','','2026-11-17 12:00:00.000000','3cde2189');
INSERT INTO "entries" VALUES('GyXAWne3Nis',105,'answer','p3','{"do":"sell_shares","major":"LdStEG","percent":10}','person','','2026-11-17 12:00:00.000000','9bb8eabc');
INSERT INTO "entries" VALUES('GyXAWne3Nis',106,'answer','p3','{"do":"buy_share","major":"MÁVAG"}','person','','2026-11-17 12:00:00.000000','040c658a');
INSERT INTO "entries" VALUES('GyXAWne3Nis',107,'answer','p4','{"do":"sell_shares","major":"G&C","percent":10}','person','','2026-11-17 12:00:00.000000','89de917c');
INSERT INTO "entries" VALUES('GyXAWne3Nis',108,'answer','p4','{"do":"buy_share","major":"LdStEG"}','person','','2026-11-17 12:00:00.000000','6d4fd1e7');
INSERT INTO "entries" VALUES('GyXAWne3Nis',109,'answer','p2','{"do":"sell_shares","major":"LdStEG","percent":10}','person','','2026-11-17 12:00:00.000000','3b50cc75');
INSERT INTO "entries" VALUES('GyXAWne3Nis',110,'answer','p2','{"do":"buy_share","major":"MÁVAG"}','person','','2026-11-17 12:00:00.000000','a8c905f3');
INSERT INTO "entries" VALUES('GyXAWne3Nis',111,'answer','p5','{"do":"sell_shares","major":"G&C","percent":10}','person','','2026-11-17 12:00:00.000000','8d7a3997');
INSERT INTO "entries" VALUES('GyXAWne3Nis',112,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','70b4a102');
INSERT INTO "entries" VALUES('GyXAWne3Nis',113,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','1d908850');
INSERT INTO "entries" VALUES('GyXAWne3Nis',114,'answer','p3','{"do":"buy_share","major":"SIK"}','person','','2026-11-17 12:00:00.000000','a7f69933');
INSERT INTO "entries" VALUES('GyXAWne3Nis',115,'answer','p4','{"do":"pass"}','obvious','no share can be bought or sold','2026-11-17 12:00:00.000000','3b47dd6f');
INSERT INTO "entries" VALUES('GyXAWne3Nis',116,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','bb4ecdc9');
INSERT INTO "entries" VALUES('GyXAWne3Nis',117,'answer','p5','{"do":"buy_share","major":"SNW"}','person','','2026-11-17 12:00:00.000000','a0e3e937');
INSERT INTO "entries" VALUES('GyXAWne3Nis',118,'answer','p1','{"do":"sell_shares","major":"G&C","percent":10}','person','','2026-11-17 12:00:00.000000','1c1ede5b');
INSERT INTO "entries" VALUES('GyXAWne3Nis',119,'answer','p1','{"do":"buy_share","major":"LdStEG"}','person','','2026-11-17 12:00:00.000000','efef1251');
INSERT INTO "entries" VALUES('GyXAWne3Nis',120,'answer','p3','{"do":"sell_shares","major":"SIK","percent":10}','person','','2026-11-17 12:00:00.000000','48f1daf4');
INSERT INTO "entries" VALUES('GyXAWne3Nis',121,'answer','p3','{"do":"sell_shares","major":"MÁVAG","percent":10}','person','','2026-11-17 12:00:00.000000','9f8244dd');
INSERT INTO "entries" VALUES('GyXAWne3Nis',122,'answer','p3','{"do":"buy_share","major":"G&C"}','person','','2026-11-17 12:00:00.000000','1cdbf80d');
INSERT INTO "entries" VALUES('GyXAWne3Nis',123,'answer','p4','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','78e678c9');
INSERT INTO "entries" VALUES('GyXAWne3Nis',124,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','8fd42223');
INSERT INTO "entries" VALUES('GyXAWne3Nis',125,'answer','p5','{"do":"sell_shares","major":"SNW","percent":10}','person','','2026-11-17 12:00:00.000000','863b443a');
INSERT INTO "entries" VALUES('GyXAWne3Nis',126,'answer','p5','{"do":"buy_share","major":"LdStEG"}','person','','2026-11-17 12:00:00.000000','6fb1971f');
INSERT INTO "entries" VALUES('GyXAWne3Nis',127,'undo','p5','125','person','','2026-11-17 12:00:00.000000','9ef1ff4d');
CREATE TABLE games (
	id VARCHAR(16) NOT NULL, 
	name VARCHAR(80) NOT NULL, 
	setup TEXT NOT NULL, 
	pace INTEGER NOT NULL, 
	ask_all BOOLEAN NOT NULL, 
	created DATETIME NOT NULL, 
	touched DATETIME NOT NULL, 
	number INTEGER NOT NULL, 
	round VARCHAR(80) NOT NULL, 
	turn VARCHAR(8), listed BOOLEAN DEFAULT 0 NOT NULL, watchable BOOLEAN DEFAULT 0 NOT NULL, hints BOOLEAN DEFAULT 1 NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "games" VALUES('iv6ijlaP06A','18CZ-base-3','{"title":"18CZ","variant":"base","players":["Anna","Ben","Cyril"],"seed":2,"draw_order":true,"rulings":{"praha_first_tile":"promotion","price_drop_per":"company and turn","marker_price_after_acquisition":"by stations on the map","trains_may_be_traded_from":"b","turn_acquired_train_into":"any larger size it may own","consent":"asked","highest_revenue":"demanded","claimed_revenue":"checked","e_train_stops":"all cities and the best towns","ate_home_hex_when_brown":"closed","repeated_offer":"must be better","above_limit_after_acquisition":"scrap acquired trains","first_tile_at_home":"always","duty_to_own_a_train":"enforced","above_certificate_limit":"must sell","waived_lay_after_promotion":"refused","surplus_trains_returned":"at once","closing_of_an_acquired_company":"at once","emergency_money":"for any train","praha_places":"their own cities","pool_card_scrapped":"it is scrapped"},"board":null,"deck":null,"options":{}}',0,0,'2026-11-17 12:00:00.000000','2026-11-17 12:00:00.000000',115,'Stock round 3','p2',0,0,1);
INSERT INTO "games" VALUES('GyXAWne3Nis','18Mag-base-5','{"title":"18Mag","variant":"base","players":["Anna","Ben","Cyril","Dora","Emil"],"seed":2,"draw_order":true,"rulings":{"no_train_sold_count":"first of a new stack","no_train_sold_advance":"its tile is used up","no_train_sold_when":"after the last minor","terrain_token_spent":"with the lay it pays","yellow_oo_stations":"the laying minor''s","consent":"asked","repeated_offer":"must be better","highest_revenue":"demanded","claimed_revenue":"checked","claimed_car_price":"checked","unused_rail_car":"refused"},"board":null,"deck":null,"options":{}}',0,0,'2026-11-17 12:00:00.000000','2026-11-17 12:00:00.000000',125,'Share round 2','p5',0,0,1);
CREATE TABLE keepings (
	id INTEGER NOT NULL, 
	hash VARCHAR(64) NOT NULL, 
	visitor INTEGER, 
	account INTEGER, removed BOOLEAN DEFAULT 0 NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(account) REFERENCES accounts (id), 
	FOREIGN KEY(hash) REFERENCES keys (hash), 
	FOREIGN KEY(visitor) REFERENCES visitors (id)
);
CREATE TABLE keys (
	hash VARCHAR(64) NOT NULL, 
	sealed VARCHAR(64) NOT NULL, 
	game VARCHAR(16) NOT NULL, 
	role VARCHAR(12) NOT NULL, 
	seats VARCHAR(64) NOT NULL, 
	used BOOLEAN NOT NULL, 
	PRIMARY KEY (hash), 
	FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO "keys" VALUES('69f75e18c55e90826ee235b5e0b8a6f5622589c6ba6004090796755c4624d33b','6617a99d3db72427d7a753074e29de92d13c76b0f1c9','iv6ijlaP06A','host','p1,p2,p3',0);
INSERT INTO "keys" VALUES('208ec0a699ee63b0c09081b9d8b8bdfb66eb9a1882394e6b603323f63246f13b','408d25ea3507c80a684a59a5e7785d72a08b7fac9adb','iv6ijlaP06A','spectator','',0);
INSERT INTO "keys" VALUES('a666bd1ff03d0901f29c790e9a6051641c7d3614c2aeb43ba12912cf14f6b540','b6637730938c8dda9f1255d9eb955ea000d856d4bb1e','GyXAWne3Nis','host','p1,p2,p3,p4,p5',0);
INSERT INTO "keys" VALUES('0e973cdb492d58f8dfc3ce9ba154005c53e752b675ece9adb6ba65cba1a311f9','4971adc40927e5f7b9fabf797ef9ca337266ac9e74e5','GyXAWne3Nis','spectator','',0);
CREATE TABLE messages (
	id INTEGER NOT NULL, 
	game VARCHAR(16) NOT NULL, 
	who VARCHAR(80) NOT NULL, 
	text TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(game) REFERENCES games (id)
);
CREATE TABLE notes (
	hash VARCHAR(64) NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (hash), 
	FOREIGN KEY(hash) REFERENCES keys (hash)
);
CREATE TABLE plans (
	game VARCHAR(16) NOT NULL, 
	origin VARCHAR(16) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	PRIMARY KEY (game), 
	FOREIGN KEY(game) REFERENCES games (id), 
	FOREIGN KEY(origin) REFERENCES games (id), 
	FOREIGN KEY(owner) REFERENCES keys (hash)
);
CREATE TABLE prepared_moves (
	id INTEGER NOT NULL, 
	game VARCHAR(16) NOT NULL, 
	seat VARCHAR(8) NOT NULL, 
	data TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	stamp INTEGER NOT NULL, 
	ended TEXT NOT NULL, 
	done BOOLEAN NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(game) REFERENCES games (id)
);
CREATE TABLE proposals (
	game VARCHAR(16) NOT NULL, 
	version INTEGER NOT NULL, 
	"by" VARCHAR(64) NOT NULL, 
	keep INTEGER NOT NULL, 
	agreed VARCHAR(64) NOT NULL, 
	PRIMARY KEY (game), 
	FOREIGN KEY(game) REFERENCES games (id)
);
CREATE TABLE seats (
	game VARCHAR(16) NOT NULL, 
	seat VARCHAR(8) NOT NULL, 
	bot VARCHAR(200), free BOOLEAN DEFAULT 0 NOT NULL, 
	PRIMARY KEY (game, seat), 
	FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO "seats" VALUES('iv6ijlaP06A','p1',NULL,0);
INSERT INTO "seats" VALUES('iv6ijlaP06A','p2',NULL,0);
INSERT INTO "seats" VALUES('iv6ijlaP06A','p3',NULL,0);
INSERT INTO "seats" VALUES('GyXAWne3Nis','p1',NULL,0);
INSERT INTO "seats" VALUES('GyXAWne3Nis','p2',NULL,0);
INSERT INTO "seats" VALUES('GyXAWne3Nis','p3',NULL,0);
INSERT INTO "seats" VALUES('GyXAWne3Nis','p4',NULL,0);
INSERT INTO "seats" VALUES('GyXAWne3Nis','p5',NULL,0);
CREATE TABLE snapshots (
	game VARCHAR(16) NOT NULL, 
	version INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	digest VARCHAR(16) NOT NULL, 
	state BLOB NOT NULL, 
	PRIMARY KEY (game, version), 
	FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO "snapshots" VALUES('iv6ijlaP06A',100,100,'bd30032432aa929d',X'7B22706C6179657273223A5B227031222C227032222C227033225D2C226F72646572223A5B227031222C227033222C227032225D2C2263617368223A7B2262616E6B223A2D3534392C227031223A38312C227032223A332C227033223A31372C22454B4A223A38302C224F4645223A31302C22424342223A302C224D57223A3131382C22564257223A3234302C22424E223A302C224E5742223A302C22415445223A302C22425445223A302C224B464E223A302C225378223A302C225072223A302C224279223A302C226B6B223A302C225567223A307D2C22636572746966696361746573223A7B22454B4A223A5B227033222C227033222C2262616E6B225D2C224F4645223A5B227032222C2262616E6B222C227032225D2C22424342223A5B2262616E6B222C2262616E6B222C2262616E6B225D2C224D57223A5B227031222C2262616E6B222C227031225D2C22564257223A5B227032222C227031222C2262616E6B225D2C22424E223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C224E5742223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C22415445223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C22425445223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C224B464E223A5B227033222C2262616E6B222C2262616E6B222C2262616E6B225D2C225378223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C225072223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C224279223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C226B6B223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C225567223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D7D2C226368617274223A5B5B22454B4A225D2C5B5D2C5B5D2C5B224D57225D2C5B5D2C5B5D2C5B22564257225D2C5B5D2C5B224F4645225D2C5B5D2C5B224B464E225D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D5D2C22626F617264223A7B2274696C6573223A7B22433235223A5B22323031222C305D2C22433233223A5B2236222C345D2C224434223A5B2236222C355D2C224432223A5B2235222C335D2C22443232223A5B2239222C305D2C22463232223A5B2235222C315D2C22463230223A5B2232222C325D2C224535223A5B2239222C325D7D2C2273746174696F6E73223A7B224332352E30223A5B224F4645225D2C224332332E30223A5B224F4645225D2C2244342E30223A5B22454B4A225D2C224632322E30223A5B224D57225D7D7D2C22737570706C79223A7B2231223A312C2232223A302C2237223A352C2238223A31342C2239223A31312C2233223A342C223538223A342C2234223A342C2235223A322C2236223A322C223537223A342C22323031223A312C22323032223A322C22363231223A322C223535223A312C223536223A312C223639223A312C223136223A312C223139223A312C223230223A312C223233223A332C223234223A332C223235223A322C223236223A322C223237223A322C223238223A312C223239223A312C223330223A312C223331223A312C223134223A342C223135223A342C22363139223A342C22323038223A322C22323037223A322C22363232223A322C22363131223A372C22323136223A332C223339223A312C223430223A312C223431223A312C223432223A312C223433223A312C223434223A312C223435223A312C223436223A312C223437223A312C223730223A312C2238383835223A312C2238383539223A312C2238383630223A312C2238383633223A312C2238383634223A312C2238383635223A312C2238383839223A312C2238383930223A312C2238383931223A312C2238383932223A312C2238383933223A312C223838363670223A322C22313470223A312C2238383770223A342C22313570223A312C2238383870223A322C2238383970223A322C2236313170223A312C2232313670223A312C223838393470223A312C223838393570223A312C223838393670223A312C223838353770223A312C2235393570223A322C2238383934223A312C2238383935223A312C2238383936223A312C2238383937223A312C2238383938223A317D2C227068617365223A2263222C22747261696E73223A7B224F4645223A5B5B226131222C2232225D2C5B226132222C2232225D2C5B226231222C2232225D5D2C22454B4A223A5B5B226133222C2232225D2C5B226134222C2232225D5D2C224D57223A5B5B226232222C2232225D2C5B226233222C2232225D2C5B226234222C2232225D5D7D2C22726576656E7565223A7B224F4645223A35302C22454B4A223A34302C224D57223A307D2C226167656E6461223A5B7B227461736B223A2274696D657461626C65222C22626F78223A377D2C7B227461736B223A2273746F636B5F726F756E64222C226669727374223A66616C73652C22706C61796572223A227032222C22706173736573223A302C22736F6C64223A5B5D2C2262616E73223A5B5B227031222C224F4645225D2C5B227031222C22454B4A225D2C5B227033222C224D57225D5D7D5D2C2273746172745F707269636573223A7B22454B4A223A35302C224F4645223A36352C224D57223A36302C224B464E223A37302C22564257223A36307D2C22666C6F61746564223A5B22454B4A222C224F4645222C224D57222C22564257225D2C2263617264735F676F6E65223A31302C22706F6F6C223A5B5D2C227363726170706564223A5B5D2C22726F756E64223A2253522033222C226C6F63616C5F7072696365223A34352C226C6F63616C73223A7B224D31223A227032222C224D32223A227033222C224D33223A227031222C224C31223A227033222C224C32223A227032222C224C33223A227032222C224C34223A227033222C224C35223A227033222C224C36223A227032227D2C22757365645F706F77657273223A5B5D2C226D61726B657273223A7B22454B4A223A5B322C305D2C224F4645223A5B312C305D2C224D57223A5B322C305D2C22564257223A5B332C305D7D2C226F70657261746564223A5B224F4645222C22454B4A222C224D57225D2C22636C6F736564223A5B5D2C226465627473223A7B7D2C2270656E616C74696573223A7B7D2C226465636C696E6564223A7B7D2C226368616E6365223A3637313036343339332C226775657374223A6E756C6C2C2277696E6E6572223A6E756C6C7D');
INSERT INTO "snapshots" VALUES('GyXAWne3Nis',100,100,'0fff716f4b8939b6',X'7B22706C6179657273223A5B227031222C227032222C227033222C227034222C227035225D2C226F72646572223A5B227031222C227033222C227034222C227032222C227035225D2C2263617368223A7B2262616E6B223A2D3634322C227031223A302C227032223A31342C227033223A33302C227034223A32332C227035223A32352C2231223A36302C2232223A302C2233223A34352C2234223A35302C2235223A302C2236223A36302C2237223A35302C2238223A35302C2239223A35302C223130223A36302C223131223A37352C223132223A302C223133223A35302C2252C3814241223A302C22472643223A302C22534E57223A302C2253494B223A302C22537A4BC38956223A302C224C6453744547223A302C224DC381564147223A307D2C22636572746966696361746573223A7B2252C3814241223A5B2262616E6B222C227033222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C22472643223A5B2262616E6B222C227035222C227031222C227034222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C22534E57223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C2253494B223A5B2262616E6B222C227032222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C22537A4BC38956223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C224C6453744547223A5B2262616E6B222C227033222C227032222C227031222C227034222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C224DC381564147223A5B2262616E6B222C227035222C227031222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D7D2C226368617274223A5B5B224C6453744547225D2C5B224DC381564147225D2C5B2253494B222C22534E57225D2C5B22472643222C22537A4BC38956225D2C5B5D2C5B2252C3814241225D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D5D2C22626F617264223A7B2274696C6573223A7B22443133223A5B223538222C345D2C22453132223A5B224C3333222C325D2C22453130223A5B223537222C325D2C22463131223A5B2237222C325D2C22423137223A5B2235222C355D2C22433136223A5B223537222C305D2C22473130223A5B224C3332222C315D2C224835223A5B2236222C325D2C22483137223A5B2235222C325D2C22473136223A5B2236222C355D2C224437223A5B2236222C325D7D2C2273746174696F6E73223A7B224731342E31223A5B2234225D2C2249322E30223A5B223133225D2C224931342E31223A5B2239225D2C224531322E30223A5B2231225D2C224531302E30223A5B2233225D2C224231372E30223A5B2236225D2C224731302E30223A5B2237225D2C2248352E30223A5B2238225D2C224831372E30223A5B223130225D2C2244372E30223A5B223131225D7D7D2C22737570706C79223A7B2237223A332C2238223A32312C2233223A352C2234223A31322C2235223A362C2236223A342C224C3332223A332C224C3333223A302C223136223A322C223230223A312C223233223A362C223235223A322C223236223A342C223238223A322C223330223A322C22323034223A332C223837223A362C22363139223A352C223134223A382C22323039223A312C22323336223A312C22323337223A322C2238383538223A312C2238383539223A312C2238383630223A312C2238383633223A312C2238383634223A312C2238383635223A312C223339223A322C223431223A322C223433223A322C223434223A322C223435223A322C22473137223A342C22363131223A382C224C3137223A332C224C3334223A322C224C3335223A312C224C3338223A312C22343535223A322C225839223A312C224C3336223A312C224C3337223A317D2C227068617365223A2279656C6C6F77222C22747261696E73223A7B223131223A5B5B22322D31222C2232225D5D2C2231223A5B5B22322D32222C2232225D5D2C2237223A5B5D2C2234223A5B5B22322D34222C2232225D5D2C2236223A5B5B22322D35222C2232225D5D2C2233223A5B5B22322D36222C2232225D5D2C223130223A5B5B22322D37222C2232225D5D2C223133223A5B5B22322D38222C2232225D5D2C2238223A5B5B22322D39222C2232225D5D2C2239223A5B5B22322D3130222C2232225D5D7D2C22726576656E7565223A7B2231223A34302C2233223A35302C2234223A302C2236223A34302C2237223A302C2238223A302C2239223A302C223130223A34302C223131223A37302C223133223A302C2252C3814241223A31302C22534E57223A302C22472643223A302C22537A4BC38956223A34302C2253494B223A33302C224DC381564147223A302C224C6453744547223A307D2C226167656E6461223A5B7B227461736B223A22726F756E6473222C227475726E223A322C22726F756E64223A302C226C656E677468223A302C226C617374223A66616C73657D2C7B227461736B223A2273746F636B5F726F756E64222C22706C61796572223A227035222C22706173736573223A302C22736F6C64223A5B5D2C2262616E73223A5B5B227034222C22534E57225D2C5B227034222C2253494B225D2C5B227033222C22534E57225D2C5B227032222C22537A4BC38956225D5D2C226C617374223A227032227D5D2C22726F756E64223A2253522032222C227072696F72697479223A227032222C226F776E657273223A7B2231223A227033222C2233223A227035222C2234223A227035222C2236223A227033222C2237223A227032222C2238223A227032222C2239223A227034222C223130223A227031222C223131223A227031222C223133223A227034227D2C227061636B616765223A7B7D2C226D61726B657273223A7B2252C3814241223A322C22472643223A322C22534E57223A322C2253494B223A322C22537A4BC38956223A322C224C6453744547223A322C224DC381564147223A322C223131223A322C2231223A322C2237223A322C2234223A322C2236223A322C2233223A322C223130223A322C223133223A322C2238223A322C2239223A327D2C227465727261696E5F746F6B656E73223A7B2231223A302C2232223A302C2233223A302C2234223A302C2235223A332C2236223A302C2237223A312C2238223A302C2239223A302C223130223A302C223131223A302C223132223A322C223133223A317D2C22696E64696361746F7273223A5B2233222C2234222C2236225D2C226361726473223A7B2232223A31307D2C226E6F5F747261696E223A312C22736F6C645F747261696E223A66616C73652C2270686173655F626567616E223A66616C73652C226465636C696E6564223A7B7D2C226368616E6365223A3639343337353335372C2269737476616E223A6E756C6C7D');
CREATE TABLE visitors (
	id INTEGER NOT NULL, 
	cookie VARCHAR(64) NOT NULL, 
	account INTEGER, called VARCHAR(40) DEFAULT '' NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(account) REFERENCES accounts (id), 
	UNIQUE (cookie)
);
CREATE INDEX ix_messages_game ON messages (game);
CREATE INDEX ix_keys_game ON keys (game);
CREATE INDEX ix_keepings_account ON keepings (account);
CREATE INDEX ix_keepings_visitor ON keepings (visitor);
CREATE INDEX ix_prepared_moves_game ON prepared_moves (game);
CREATE INDEX ix_plans_origin ON plans (origin);
CREATE INDEX ix_plans_owner ON plans (owner);
COMMIT;
