BEGIN TRANSACTION;
CREATE TABLE accounts (
	id INTEGER NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	known_as VARCHAR(80) NOT NULL, 
	password VARCHAR(200) NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (known_as)
);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0003');
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
INSERT INTO "entries" VALUES('7XlAHS_3s-8',1,'answer','p1','{"do":"buy_local","local":"S4"}','person','','2026-11-17 12:00:00.000000','56d50e57');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',2,'answer','p3','{"do":"buy_local","local":"L1"}','person','','2026-11-17 12:00:00.000000','ddb31d61');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',3,'answer','p2','{"do":"buy_local","local":"L2"}','person','','2026-11-17 12:00:00.000000','04d609ee');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',4,'answer','p2','{"do":"buy_local","local":"L3"}','person','','2026-11-17 12:00:00.000000','0a07f811');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',5,'answer','p3','{"do":"buy_local","local":"L4"}','person','','2026-11-17 12:00:00.000000','4b99a940');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',6,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','46f84540');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',7,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','ea1893b9');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',8,'answer','p3','{"do":"buy_local","local":"L5"}','person','','2026-11-17 12:00:00.000000','fb3e44da');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',9,'answer','p2','{"do":"buy_local","local":"L6"}','person','','2026-11-17 12:00:00.000000','bd25bfaa');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',10,'answer','p2','{"do":"buy_local","local":"M1"}','person','','2026-11-17 12:00:00.000000','c4d54376');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',11,'answer','p3','{"do":"buy_local","local":"M2"}','person','','2026-11-17 12:00:00.000000','32e8414c');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',12,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','238d44a3');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',13,'answer','p1','{"do":"buy_local","local":"M3"}','person','','2026-11-17 12:00:00.000000','11b9f6ac');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',14,'answer','p3','{"do":"buy_local","local":"S1"}','person','','2026-11-17 12:00:00.000000','8cdde9ad');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',15,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','c19153ea');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',16,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','d50710db');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',17,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','accf3852');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',18,'answer','p1','{"do":"buy_local","local":"S3"}','person','','2026-11-17 12:00:00.000000','584aea1a');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',19,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','aab2db61');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',20,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','b7f4b433');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',21,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','e9469f22');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',22,'answer','p3','{"do":"start_company","company":"EKJ","price":50}','person','','2026-11-17 12:00:00.000000','3300a6e9');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',23,'answer','p2','{"do":"start_company","company":"OFE","price":65}','person','','2026-11-17 12:00:00.000000','d3ffa5ba');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',24,'answer','p1','{"do":"buy_share","company":"OFE"}','person','','2026-11-17 12:00:00.000000','54d45dda');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',25,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','3e28acb0');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',26,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','30510947');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',27,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','e475dd85');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',28,'answer','p2','{"do":"lay_tile","hex":"C25","tile":"201","rotation":0}','person','','2026-11-17 12:00:00.000000','33ed87a5');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',29,'answer','p2','{"do":"lay_tile","hex":"C23","tile":"6","rotation":4}','person','','2026-11-17 12:00:00.000000','23d0acf7');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',30,'answer','p2','{"do":"place_station","city":"C23.0"}','person','','2026-11-17 12:00:00.000000','7454c902');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',31,'answer','p2','{"do":"run_trains","runs":[]}','person','','2026-11-17 12:00:00.000000','456fa29f');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',32,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','c0ce7c9c');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',33,'answer','p2','{"do":"buy_train","card":"a1","face":"2"}','person','','2026-11-17 12:00:00.000000','532b1d6c');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',34,'answer','p2','{"do":"buy_train","card":"a2","face":"2"}','person','','2026-11-17 12:00:00.000000','05e46b4c');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',35,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','b27af7e6');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',36,'answer','p3','{"do":"lay_tile","hex":"D4","tile":"6","rotation":5}','person','','2026-11-17 12:00:00.000000','7f6950a1');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',37,'answer','p3','{"do":"lay_tile","hex":"D2","tile":"5","rotation":3}','person','','2026-11-17 12:00:00.000000','1eba09b6');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',38,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','89964690');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',39,'answer','p3','{"do":"run_trains","runs":[]}','person','','2026-11-17 12:00:00.000000','d791e98a');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',40,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','5eebb726');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',41,'answer','p3','{"do":"buy_train","card":"a3","face":"2"}','person','','2026-11-17 12:00:00.000000','2ec7c4a6');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',42,'answer','p3','{"do":"buy_train","card":"a4","face":"2"}','person','','2026-11-17 12:00:00.000000','10fe1c7c');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',43,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','7cfbf834');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',44,'answer','p1','{"do":"start_company","company":"MW","price":60}','person','','2026-11-17 12:00:00.000000','36a3f10b');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',45,'answer','p3','{"do":"buy_share","company":"MW"}','person','','2026-11-17 12:00:00.000000','e901c879');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',46,'answer','p2','{"do":"buy_share","company":"OFE"}','person','','2026-11-17 12:00:00.000000','547871c4');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',47,'answer','p1','{"do":"buy_share","company":"EKJ"}','person','','2026-11-17 12:00:00.000000','6f77cd9a');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',48,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','2dcca820');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',49,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','1760ef6c');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',50,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','0438e3dd');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',51,'answer','p2','{"do":"lay_tile","hex":"D22","tile":"9","rotation":0}','person','','2026-11-17 12:00:00.000000','2082073e');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',52,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','145e450b');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',53,'answer','p2','{"do":"run_trains","runs":[{"card":"a1","path":["C23.0","C25.0"]}]}','person','','2026-11-17 12:00:00.000000','fa816c6a');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',54,'answer','p2','{"do":"pay_out"}','person','','2026-11-17 12:00:00.000000','c44dc460');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',55,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','d69bc4a2');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',56,'answer','p2','{"do":"buy_train","card":"b1","face":"2"}','person','','2026-11-17 12:00:00.000000','bf97ce70');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',57,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','a7fde847');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',58,'answer','p1','{"do":"offer_for_local","local":"S3","price":4}','person','','2026-11-17 12:00:00.000000','1e7de614');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',59,'answer','p1','{"do":"lay_tile","hex":"F22","tile":"5","rotation":1}','person','','2026-11-17 12:00:00.000000','ab1a7276');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',60,'answer','p1','{"do":"lay_tile","hex":"F20","tile":"2","rotation":2}','person','','2026-11-17 12:00:00.000000','2c913c8f');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',61,'answer','p1','{"do":"offer_for_local","local":"S1","price":12}','person','','2026-11-17 12:00:00.000000','57bd1aa4');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',62,'answer','p3','{"do":"decline"}','person','','2026-11-17 12:00:00.000000','16fb0682');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',63,'answer','p1','{"do":"offer_for_local","local":"S1","price":29}','person','','2026-11-17 12:00:00.000000','8d18c077');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',64,'answer','p3','{"do":"decline"}','person','','2026-11-17 12:00:00.000000','ca5625d7');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',65,'answer','p1','{"do":"sell_local","local":"S3"}','person','','2026-11-17 12:00:00.000000','8df64fbd');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',66,'answer','p1','{"do":"offer_for_local","local":"S4","price":1}','person','','2026-11-17 12:00:00.000000','f0e0a392');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',67,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','acf3c4c7');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',68,'answer','p1','{"do":"sell_local","local":"S4"}','person','','2026-11-17 12:00:00.000000','f5214a79');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',69,'answer','p1','{"do":"run_trains","runs":[]}','person','','2026-11-17 12:00:00.000000','3de064e5');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',70,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','4278e657');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',71,'answer','p1','{"do":"buy_train","card":"b2","face":"2"}','person','','2026-11-17 12:00:00.000000','affb40d5');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',72,'answer','p1','{"do":"buy_train","card":"b3","face":"2"}','person','','2026-11-17 12:00:00.000000','9173f5eb');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',73,'answer','p1','{"do":"offer_for_local","local":"S1","price":30}','person','','2026-11-17 12:00:00.000000','9b593066');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',74,'answer','p3','{"do":"decline"}','person','','2026-11-17 12:00:00.000000','57129200');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',75,'answer','p1','{"do":"buy_train","card":"b4","face":"2"}','person','','2026-11-17 12:00:00.000000','970c393e');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',76,'answer','p1','{"do":"offer_for_local","local":"S1","price":34}','person','','2026-11-17 12:00:00.000000','b4707fdb');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',77,'answer','p3','{"do":"decline"}','person','','2026-11-17 12:00:00.000000','45286966');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',78,'answer','p1','{"do":"offer_for_local","local":"S1","price":35}','person','','2026-11-17 12:00:00.000000','9a10aedb');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',79,'answer','p3','{"do":"decline"}','person','','2026-11-17 12:00:00.000000','e432dcc8');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',80,'answer','p1','{"do":"offer_for_local","local":"S1","price":42}','person','','2026-11-17 12:00:00.000000','dba1e546');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',81,'answer','p3','{"do":"accept"}','person','','2026-11-17 12:00:00.000000','15fa97c4');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',82,'answer','p1','{"do":"sell_local","local":"S1"}','person','','2026-11-17 12:00:00.000000','915bc20e');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',83,'answer','p1','{"do":"pass"}','obvious','','2026-11-17 12:00:00.000000','85d891bf');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',84,'answer','p3','{"do":"lay_tile","hex":"E5","tile":"9","rotation":2}','person','','2026-11-17 12:00:00.000000','50f45bea');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',85,'answer','p3','{"do":"pass"}','obvious','','2026-11-17 12:00:00.000000','530ab62b');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',86,'answer','p3','{"do":"run_trains","runs":[{"card":"a3","path":["D2.0","D4.0"]}]}','person','','2026-11-17 12:00:00.000000','acec7708');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',87,'answer','p3','{"do":"withhold"}','person','','2026-11-17 12:00:00.000000','9104d2fa');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',88,'answer','p3','{"do":"pass"}','obvious','','2026-11-17 12:00:00.000000','378f87d8');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',89,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','7e92d3a5');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',90,'answer','p1','{"do":"buy_share","company":"MW"}','person','','2026-11-17 12:00:00.000000','0cdcf6ab');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',91,'answer','p3','{"do":"start_company","company":"KFN","price":70}','person','','2026-11-17 12:00:00.000000','245ed139');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',92,'answer','p2','{"do":"start_company","company":"VBW","price":60}','person','','2026-11-17 12:00:00.000000','6a0542c2');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',93,'answer','p1','{"do":"sell_shares","company":"OFE","percent":25}','person','','2026-11-17 12:00:00.000000','00075aa6');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',94,'answer','p1','{"do":"sell_shares","company":"EKJ","percent":25}','person','','2026-11-17 12:00:00.000000','8bffb69f');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',95,'answer','p1','{"do":"buy_share","company":"VBW"}','person','','2026-11-17 12:00:00.000000','cd1dd079');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',96,'answer','p3','{"do":"sell_shares","company":"MW","percent":25}','person','','2026-11-17 12:00:00.000000','b6131013');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',97,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','0fae47e3');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',98,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','fdc605bd');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',99,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','151335ef');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',100,'answer','p3','{"do":"buy_share","company":"EKJ"}','person','','2026-11-17 12:00:00.000000','0ea0391e');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',101,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','f5f8ac91');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',102,'answer','p1','{"do":"buy_share","company":"KFN"}','person','','2026-11-17 12:00:00.000000','71b6bc10');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',103,'answer','p3','{"do":"sell_shares","company":"EKJ","percent":25}','person','','2026-11-17 12:00:00.000000','25c5db7e');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',104,'answer','p3','{"do":"pass"}','obvious','','2026-11-17 12:00:00.000000','1848b9ca');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',105,'answer','p2','{"do":"sell_shares","company":"OFE","percent":25}','person','','2026-11-17 12:00:00.000000','b4e2b0a4');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',106,'answer','p2','{"do":"buy_share","company":"VBW"}','person','','2026-11-17 12:00:00.000000','58d33328');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',107,'answer','p1','{"do":"sell_shares","company":"MW","percent":25}','person','','2026-11-17 12:00:00.000000','cb726f14');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',108,'answer','p1','{"do":"sell_shares","company":"KFN","percent":20}','person','','2026-11-17 12:00:00.000000','6496b56e');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',109,'answer','p1','{"do":"sell_shares","company":"VBW","percent":25}','person','','2026-11-17 12:00:00.000000','76b33b54');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',110,'answer','p1','{"do":"start_company","company":"BTE","price":90}','person','','2026-11-17 12:00:00.000000','b9a7c5e3');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',111,'answer','p3','{"do":"pass"}','obvious','','2026-11-17 12:00:00.000000','c2ec79aa');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',112,'answer','p2','{"do":"sell_shares","company":"VBW","percent":25}','person','','2026-11-17 12:00:00.000000','3e25e31d');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',113,'answer','p2','{"do":"buy_share","company":"MW"}','person','','2026-11-17 12:00:00.000000','e5ea448b');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',114,'answer','p1','{"do":"pass"}','obvious','','2026-11-17 12:00:00.000000','08683085');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',115,'answer','p3','{"do":"buy_share","company":"VBW"}','person','','2026-11-17 12:00:00.000000','c22c7467');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',116,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','e6b16b32');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',117,'answer','p1','{"do":"pass"}','obvious','','2026-11-17 12:00:00.000000','c2984ae8');
INSERT INTO "entries" VALUES('7XlAHS_3s-8',118,'undo','p2','115','person','','2026-11-17 12:00:00.000000','1f37e276');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',1,'answer','p1','{"do":"draft_minor","minor":"11"}','person','','2026-11-17 12:00:00.000000','e7730955');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',2,'answer','p3','{"do":"draft_minor","minor":"1"}','person','','2026-11-17 12:00:00.000000','a9490975');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',3,'answer','p4','{"do":"draft_share","major":"SIK"}','person','','2026-11-17 12:00:00.000000','4d25ff7b');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',4,'answer','p2','{"do":"draft_minor","minor":"7"}','person','','2026-11-17 12:00:00.000000','11c00cb1');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',5,'answer','p5','{"do":"draft_minor","minor":"4"}','person','','2026-11-17 12:00:00.000000','eeca8d44');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',6,'answer','p3','{"do":"draft_minor","minor":"6"}','person','','2026-11-17 12:00:00.000000','c371e96f');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',7,'answer','p4','{"do":"draft_share","major":"SNW"}','person','','2026-11-17 12:00:00.000000','a1e9abfb');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',8,'answer','p2','{"do":"draft_share","major":"SzKÉV"}','person','','2026-11-17 12:00:00.000000','2f0a7898');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',9,'answer','p5','{"do":"draft_minor","minor":"3"}','person','','2026-11-17 12:00:00.000000','16be0949');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',10,'answer','p1','{"do":"draft_minor","minor":"10"}','person','','2026-11-17 12:00:00.000000','4b004da6');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',11,'answer','p4','{"do":"draft_minor","minor":"13"}','person','','2026-11-17 12:00:00.000000','7d23304d');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',12,'answer','p2','{"do":"draft_minor","minor":"8"}','person','','2026-11-17 12:00:00.000000','9128992d');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',13,'answer','p5','{"do":"draft_share","major":"G&C"}','person','','2026-11-17 12:00:00.000000','1961e32c');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',14,'answer','p1','{"do":"draft_share","major":"G&C"}','person','','2026-11-17 12:00:00.000000','ec0be16b');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',15,'answer','p3','{"do":"draft_share","major":"LdStEG"}','person','','2026-11-17 12:00:00.000000','542b05bf');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',16,'answer','p2','{"do":"draft_share","major":"LdStEG"}','person','','2026-11-17 12:00:00.000000','3c36cc84');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',17,'answer','p5','{"do":"draft_share","major":"MÁVAG"}','person','','2026-11-17 12:00:00.000000','b40b0bae');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',18,'answer','p1','{"do":"draft_share","major":"MÁVAG"}','person','','2026-11-17 12:00:00.000000','fdc1b513');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',19,'answer','p3','{"do":"draft_share","major":"SNW"}','person','','2026-11-17 12:00:00.000000','8de65c88');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',20,'answer','p4','{"do":"draft_minor","minor":"9"}','person','','2026-11-17 12:00:00.000000','b8fdc2c5');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',21,'answer','p3','{"do":"lay_tile","hex":"D13","tile":"58","rotation":4,"token":false}','person','','2026-11-17 12:00:00.000000','811fb7f7');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',22,'answer','p3','{"do":"lay_tile","hex":"E12","tile":"L33","rotation":2,"token":false}','person','','2026-11-17 12:00:00.000000','1eaacae6');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',23,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','0877cbd2');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',24,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','76b5401f');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',25,'answer','p3','{"do":"run_trains","runs":[{"card":"2-2","path":["D13.0","E12.0"],"cars":[]}]}','person','','2026-11-17 12:00:00.000000','d281ec31');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',26,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','2e783a5d');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',27,'answer','p5','{"do":"lay_tile","hex":"E10","tile":"57","rotation":2,"token":false}','person','','2026-11-17 12:00:00.000000','f8ef9460');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',28,'answer','p5','{"do":"lay_tile","hex":"F11","tile":"7","rotation":2,"token":false}','person','','2026-11-17 12:00:00.000000','bba1f72f');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',29,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','9a34e66a');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',30,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','51d942be');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',31,'answer','p5','{"do":"run_trains","runs":[{"card":"2-6","path":["E10.0","F11","E12.1"],"cars":[]}]}','person','','2026-11-17 12:00:00.000000','2d89f227');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',32,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','1a3e2834');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',33,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','f6c7e1bd');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',34,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','35b62bfa');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',35,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','02f4e118');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',36,'answer','p5','{"do":"run_trains","runs":[]}','person','','2026-11-17 12:00:00.000000','18312679');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',37,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','01de2b8b');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',38,'answer','p3','{"do":"lay_tile","hex":"B17","tile":"5","rotation":5,"token":true}','person','','2026-11-17 12:00:00.000000','da57e813');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',39,'answer','p3','{"do":"lay_tile","hex":"C16","tile":"57","rotation":0,"token":false}','person','','2026-11-17 12:00:00.000000','35d99e45');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',40,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','a6d0b74b');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',41,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','c1c11595');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',42,'answer','p3','{"do":"run_trains","runs":[{"card":"2-5","path":["B17.0","C16.0"],"cars":[]}]}','person','','2026-11-17 12:00:00.000000','c81c5f63');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',43,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','cda3237a');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',44,'answer','p2','{"do":"lay_tile","hex":"G10","tile":"L32","rotation":1,"token":false}','person','','2026-11-17 12:00:00.000000','521c03d2');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',45,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','a84c6501');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',46,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','5e9744b5');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',47,'answer','p2','{"do":"scrap_train","card":"2-3"}','person','','2026-11-17 12:00:00.000000','78823a44');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',48,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','b96862a0');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',49,'answer','p2','{"do":"run_trains","runs":[]}','person','','2026-11-17 12:00:00.000000','8275cc5b');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',50,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','e57789dc');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',51,'answer','p2','{"do":"lay_tile","hex":"H5","tile":"6","rotation":2,"token":false}','person','','2026-11-17 12:00:00.000000','492262ab');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',52,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','e53ff5ae');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',53,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','39526118');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',54,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','86cc144c');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',55,'answer','p2','{"do":"run_trains","runs":[]}','person','','2026-11-17 12:00:00.000000','d378a9cd');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',56,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','cec97ca0');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',57,'answer','p4','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','ca85918e');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',58,'answer','p4','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','aa0d1030');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',59,'answer','p4','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','0778bd42');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',60,'answer','p4','{"do":"run_trains","runs":[]}','person','','2026-11-17 12:00:00.000000','5c498df9');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',61,'answer','p4','{"do":"offer_for_train","card":"2-2","price":6}','person','','2026-11-17 12:00:00.000000','6d992846');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',62,'answer','p3','{"do":"decline"}','person','','2026-11-17 12:00:00.000000','99c23160');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',63,'answer','p4','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','59566c1c');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',64,'answer','p1','{"do":"lay_tile","hex":"H17","tile":"5","rotation":2,"token":false}','person','','2026-11-17 12:00:00.000000','009b0fc3');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',65,'answer','p1','{"do":"lay_tile","hex":"G16","tile":"6","rotation":5,"token":false}','person','','2026-11-17 12:00:00.000000','6c2820b0');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',66,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','259e85dc');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',67,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','e0b4d606');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',68,'answer','p1','{"do":"run_trains","runs":[{"card":"2-7","path":["G16.0","H17.0"],"cars":[]}]}','person','','2026-11-17 12:00:00.000000','359e5c31');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',69,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','e5ffbb26');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',70,'answer','p1','{"do":"lay_tile","hex":"D7","tile":"6","rotation":2,"token":false}','person','','2026-11-17 12:00:00.000000','11917598');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',71,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','5f99fc98');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',72,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','33ca85aa');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',73,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','91ec40a2');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',74,'answer','p1','{"do":"buy_car","car":"off_board"}','person','','2026-11-17 12:00:00.000000','c70592bb');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',75,'answer','p1','{"do":"run_trains","runs":[{"card":"2-1","path":["C6.0","D7.0"],"cars":["off_board"]}]}','person','','2026-11-17 12:00:00.000000','9e9a91d2');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',76,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','68462d81');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',77,'answer','p4','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','92fc0cc2');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',78,'answer','p4','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','e5c977cf');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',79,'answer','p4','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','1a5e546b');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',80,'answer','p4','{"do":"run_trains","runs":[]}','person','','2026-11-17 12:00:00.000000','0302c532');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',81,'answer','p4','{"do":"offer_for_train","card":"2-1","price":4}','person','','2026-11-17 12:00:00.000000','d5496cda');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',82,'answer','p1','{"do":"decline"}','person','','2026-11-17 12:00:00.000000','edb694d8');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',83,'answer','p4','{"do":"offer_for_train","card":"2-1","price":7}','person','','2026-11-17 12:00:00.000000','2cd9ab73');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',84,'answer','p1','{"do":"decline"}','person','','2026-11-17 12:00:00.000000','d9862060');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',85,'answer','p4','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','82f8a570');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',86,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','0f47f2d2');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',87,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','b5a0a1bb');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',88,'answer','p1','{"do":"buy_share","major":"LdStEG"}','person','','2026-11-17 12:00:00.000000','03269975');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',89,'answer','p3','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','9a272267');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',90,'answer','p4','{"do":"sell_shares","major":"SNW","percent":10}','person','','2026-11-17 12:00:00.000000','e621530d');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',91,'answer','p4','{"do":"sell_shares","major":"SIK","percent":10}','person','','2026-11-17 12:00:00.000000','2fb56308');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',92,'answer','p4','{"do":"buy_share","major":"LdStEG"}','person','','2026-11-17 12:00:00.000000','59191fac');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',93,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','8ccc7f19');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',94,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','ca4774bb');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',95,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','0f5df8a1');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',96,'answer','p3','{"do":"sell_shares","major":"SNW","percent":10}','person','','2026-11-17 12:00:00.000000','a7c44af1');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',97,'answer','p3','{"do":"buy_share","major":"RÁBA"}','person','','2026-11-17 12:00:00.000000','4f05c7b5');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',98,'answer','p4','{"do":"buy_share","major":"G&C"}','person','','2026-11-17 12:00:00.000000','4b027a1f');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',99,'answer','p2','{"do":"sell_shares","major":"SzKÉV","percent":10}','person','','2026-11-17 12:00:00.000000','450aaa20');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',100,'answer','p2','{"do":"buy_share","major":"SIK"}','person','','2026-11-17 12:00:00.000000','dc597fdb');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',101,'answer','p5','{"do":"sell_shares","major":"MÁVAG","percent":10}','person','','2026-11-17 12:00:00.000000','f1b4d517');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',102,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','995e58ac');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',103,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','4d95972e');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',104,'answer','p3','{"do":"sell_shares","major":"RÁBA","percent":10}','person','','2026-11-17 12:00:00.000000','22d784e2');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',105,'answer','p3','{"do":"sell_shares","major":"LdStEG","percent":10}','person','','2026-11-17 12:00:00.000000','0fed7772');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',106,'answer','p3','{"do":"buy_share","major":"MÁVAG"}','person','','2026-11-17 12:00:00.000000','09c65f1a');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',107,'answer','p4','{"do":"sell_shares","major":"G&C","percent":10}','person','','2026-11-17 12:00:00.000000','5dea5452');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',108,'answer','p4','{"do":"buy_share","major":"LdStEG"}','person','','2026-11-17 12:00:00.000000','634dcb39');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',109,'answer','p2','{"do":"sell_shares","major":"LdStEG","percent":10}','person','','2026-11-17 12:00:00.000000','8bcb4f58');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',110,'answer','p2','{"do":"buy_share","major":"MÁVAG"}','person','','2026-11-17 12:00:00.000000','319359eb');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',111,'answer','p5','{"do":"sell_shares","major":"G&C","percent":10}','person','','2026-11-17 12:00:00.000000','ea4e78a5');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',112,'answer','p5','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','1156271c');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',113,'answer','p1','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','ccf1685d');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',114,'answer','p3','{"do":"buy_share","major":"SIK"}','person','','2026-11-17 12:00:00.000000','9e292b74');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',115,'answer','p4','{"do":"pass"}','obvious','','2026-11-17 12:00:00.000000','d16085c1');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',116,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','7832bd35');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',117,'answer','p5','{"do":"buy_share","major":"SNW"}','person','','2026-11-17 12:00:00.000000','3f95ce2c');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',118,'answer','p1','{"do":"sell_shares","major":"G&C","percent":10}','person','','2026-11-17 12:00:00.000000','a24e591d');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',119,'answer','p1','{"do":"buy_share","major":"LdStEG"}','person','','2026-11-17 12:00:00.000000','2e3f1b95');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',120,'answer','p3','{"do":"sell_shares","major":"SIK","percent":10}','person','','2026-11-17 12:00:00.000000','59c27b15');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',121,'answer','p3','{"do":"sell_shares","major":"MÁVAG","percent":10}','person','','2026-11-17 12:00:00.000000','f33a73af');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',122,'answer','p3','{"do":"buy_share","major":"G&C"}','person','','2026-11-17 12:00:00.000000','407f5758');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',123,'answer','p4','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','f11256cb');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',124,'answer','p2','{"do":"pass"}','person','','2026-11-17 12:00:00.000000','5e56db38');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',125,'answer','p5','{"do":"sell_shares","major":"SNW","percent":10}','person','','2026-11-17 12:00:00.000000','170dbe13');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',126,'answer','p5','{"do":"buy_share","major":"LdStEG"}','person','','2026-11-17 12:00:00.000000','aae8764f');
INSERT INTO "entries" VALUES('KF1eOmpgwCU',127,'undo','p5','125','person','','2026-11-17 12:00:00.000000','e0f891ff');
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
	turn VARCHAR(8), 
	PRIMARY KEY (id)
);
INSERT INTO "games" VALUES('7XlAHS_3s-8','18CZ-base-3','{"title":"18CZ","variant":"base","players":["Anna","Ben","Cyril"],"seed":2,"draw_order":true,"rulings":{"praha_first_tile":"promotion","price_drop_per":"company and turn","marker_price_after_acquisition":"by stations on the map","trains_may_be_traded_from":"b","turn_acquired_train_into":"any larger size it may own","consent":"asked","highest_revenue":"demanded","claimed_revenue":"checked","e_train_stops":"all cities and the best towns","ate_home_hex_when_brown":"closed","repeated_offer":"must be better","above_limit_after_acquisition":"scrap acquired trains","first_tile_at_home":"always","duty_to_own_a_train":"enforced","above_certificate_limit":"must sell","waived_lay_after_promotion":"refused","surplus_trains_returned":"at once","closing_of_an_acquired_company":"at once","emergency_money":"for any train","praha_places":"their own cities","pool_card_scrapped":"it is scrapped"},"board":null,"deck":null,"options":{}}',0,0,'2026-11-17 12:00:00.000000','2026-11-17 12:00:00.000000',115,'Stock Round 3','p2');
INSERT INTO "games" VALUES('KF1eOmpgwCU','18Mag-base-5','{"title":"18Mag","variant":"base","players":["Anna","Ben","Cyril","Dora","Emil"],"seed":2,"draw_order":true,"rulings":{"no_train_sold_count":"first of a new stack","no_train_sold_advance":"its tile is used up","no_train_sold_when":"after the last minor","terrain_token_spent":"with the lay it pays","yellow_oo_stations":"the laying minor''s","consent":"asked","repeated_offer":"must be better","highest_revenue":"demanded","claimed_revenue":"checked","claimed_car_price":"checked","unused_rail_car":"refused"},"board":null,"deck":null,"options":{}}',0,0,'2026-11-17 12:00:00.000000','2026-11-17 12:00:00.000000',125,'Share Round 2','p5');
CREATE TABLE keepings (
	id INTEGER NOT NULL, 
	hash VARCHAR(64) NOT NULL, 
	visitor INTEGER, 
	account INTEGER, 
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
INSERT INTO "keys" VALUES('87321227555c10be1c4165fb6872346bb3a28ededd1f0edd496e31ec731e9f57','dec3c4d8d52ba0f2419555ee5d38035ede5899b4aabe','7XlAHS_3s-8','host','p1,p2,p3',0);
INSERT INTO "keys" VALUES('7a59e98d2b64fac2927c03995678bcf3de027725ecb1c71ab38bed720c37d5a6','cfca023c8ca92bb16f0d88b8e628724b891425b62b9f','7XlAHS_3s-8','spectator','',0);
INSERT INTO "keys" VALUES('3fa375aa8ae4ef54cd9d7d981c6e42cc2ea6ecc03d3375bf5c14b25759944e94','6f030aa2735a557d318cf655d1380474a23ec09b380f','KF1eOmpgwCU','host','p1,p2,p3,p4,p5',0);
INSERT INTO "keys" VALUES('4b12818c4703195dd69480b77bf797b0e7334bda7e2035339bd9cb669aa69b28','e53e7e331005367bcf547fe36aef190be54886ff4b7a','KF1eOmpgwCU','spectator','',0);
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
	bot VARCHAR(200), 
	PRIMARY KEY (game, seat), 
	FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO "seats" VALUES('7XlAHS_3s-8','p1',NULL);
INSERT INTO "seats" VALUES('7XlAHS_3s-8','p2',NULL);
INSERT INTO "seats" VALUES('7XlAHS_3s-8','p3',NULL);
INSERT INTO "seats" VALUES('KF1eOmpgwCU','p1',NULL);
INSERT INTO "seats" VALUES('KF1eOmpgwCU','p2',NULL);
INSERT INTO "seats" VALUES('KF1eOmpgwCU','p3',NULL);
INSERT INTO "seats" VALUES('KF1eOmpgwCU','p4',NULL);
INSERT INTO "seats" VALUES('KF1eOmpgwCU','p5',NULL);
CREATE TABLE snapshots (
	game VARCHAR(16) NOT NULL, 
	version INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	digest VARCHAR(16) NOT NULL, 
	state BLOB NOT NULL, 
	PRIMARY KEY (game, version), 
	FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO "snapshots" VALUES('7XlAHS_3s-8',100,100,'bd30032432aa929d',X'7B22706C6179657273223A5B227031222C227032222C227033225D2C226F72646572223A5B227031222C227033222C227032225D2C2263617368223A7B2262616E6B223A2D3534392C227031223A38312C227032223A332C227033223A31372C22454B4A223A38302C224F4645223A31302C22424342223A302C224D57223A3131382C22564257223A3234302C22424E223A302C224E5742223A302C22415445223A302C22425445223A302C224B464E223A302C225378223A302C225072223A302C224279223A302C226B6B223A302C225567223A307D2C22636572746966696361746573223A7B22454B4A223A5B227033222C227033222C2262616E6B225D2C224F4645223A5B227032222C2262616E6B222C227032225D2C22424342223A5B2262616E6B222C2262616E6B222C2262616E6B225D2C224D57223A5B227031222C2262616E6B222C227031225D2C22564257223A5B227032222C227031222C2262616E6B225D2C22424E223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C224E5742223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C22415445223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C22425445223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C224B464E223A5B227033222C2262616E6B222C2262616E6B222C2262616E6B225D2C225378223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C225072223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C224279223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C226B6B223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C225567223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D7D2C226368617274223A5B5B22454B4A225D2C5B5D2C5B5D2C5B224D57225D2C5B5D2C5B5D2C5B22564257225D2C5B5D2C5B224F4645225D2C5B5D2C5B224B464E225D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D5D2C22626F617264223A7B2274696C6573223A7B22433235223A5B22323031222C305D2C22433233223A5B2236222C345D2C224434223A5B2236222C355D2C224432223A5B2235222C335D2C22443232223A5B2239222C305D2C22463232223A5B2235222C315D2C22463230223A5B2232222C325D2C224535223A5B2239222C325D7D2C2273746174696F6E73223A7B224332352E30223A5B224F4645225D2C224332332E30223A5B224F4645225D2C2244342E30223A5B22454B4A225D2C224632322E30223A5B224D57225D7D7D2C22737570706C79223A7B2231223A312C2232223A302C2237223A352C2238223A31342C2239223A31312C2233223A342C223538223A342C2234223A342C2235223A322C2236223A322C223537223A342C22323031223A312C22323032223A322C22363231223A322C223535223A312C223536223A312C223639223A312C223136223A312C223139223A312C223230223A312C223233223A332C223234223A332C223235223A322C223236223A322C223237223A322C223238223A312C223239223A312C223330223A312C223331223A312C223134223A342C223135223A342C22363139223A342C22323038223A322C22323037223A322C22363232223A322C22363131223A372C22323136223A332C223339223A312C223430223A312C223431223A312C223432223A312C223433223A312C223434223A312C223435223A312C223436223A312C223437223A312C223730223A312C2238383835223A312C2238383539223A312C2238383630223A312C2238383633223A312C2238383634223A312C2238383635223A312C2238383839223A312C2238383930223A312C2238383931223A312C2238383932223A312C2238383933223A312C223838363670223A322C22313470223A312C2238383770223A342C22313570223A312C2238383870223A322C2238383970223A322C2236313170223A312C2232313670223A312C223838393470223A312C223838393570223A312C223838393670223A312C223838353770223A312C2235393570223A322C2238383934223A312C2238383935223A312C2238383936223A312C2238383937223A312C2238383938223A317D2C227068617365223A2263222C22747261696E73223A7B224F4645223A5B5B226131222C2232225D2C5B226132222C2232225D2C5B226231222C2232225D5D2C22454B4A223A5B5B226133222C2232225D2C5B226134222C2232225D5D2C224D57223A5B5B226232222C2232225D2C5B226233222C2232225D2C5B226234222C2232225D5D7D2C22726576656E7565223A7B224F4645223A35302C22454B4A223A34302C224D57223A307D2C226167656E6461223A5B7B227461736B223A2274696D657461626C65222C22626F78223A377D2C7B227461736B223A2273746F636B5F726F756E64222C226669727374223A66616C73652C22706C61796572223A227032222C22706173736573223A302C22736F6C64223A5B5D2C2262616E73223A5B5B227031222C224F4645225D2C5B227031222C22454B4A225D2C5B227033222C224D57225D5D7D5D2C2273746172745F707269636573223A7B22454B4A223A35302C224F4645223A36352C224D57223A36302C224B464E223A37302C22564257223A36307D2C22666C6F61746564223A5B22454B4A222C224F4645222C224D57222C22564257225D2C2263617264735F676F6E65223A31302C22706F6F6C223A5B5D2C227363726170706564223A5B5D2C22726F756E64223A2253522033222C226C6F63616C5F7072696365223A34352C226C6F63616C73223A7B224D31223A227032222C224D32223A227033222C224D33223A227031222C224C31223A227033222C224C32223A227032222C224C33223A227032222C224C34223A227033222C224C35223A227033222C224C36223A227032227D2C22757365645F706F77657273223A5B5D2C226D61726B657273223A7B22454B4A223A5B322C305D2C224F4645223A5B312C305D2C224D57223A5B322C305D2C22564257223A5B332C305D7D2C226F70657261746564223A5B224F4645222C22454B4A222C224D57225D2C22636C6F736564223A5B5D2C226465627473223A7B7D2C2270656E616C74696573223A7B7D2C226465636C696E6564223A7B7D2C226368616E6365223A3637313036343339332C226775657374223A6E756C6C2C2277696E6E6572223A6E756C6C7D');
INSERT INTO "snapshots" VALUES('KF1eOmpgwCU',100,100,'0fff716f4b8939b6',X'7B22706C6179657273223A5B227031222C227032222C227033222C227034222C227035225D2C226F72646572223A5B227031222C227033222C227034222C227032222C227035225D2C2263617368223A7B2262616E6B223A2D3634322C227031223A302C227032223A31342C227033223A33302C227034223A32332C227035223A32352C2231223A36302C2232223A302C2233223A34352C2234223A35302C2235223A302C2236223A36302C2237223A35302C2238223A35302C2239223A35302C223130223A36302C223131223A37352C223132223A302C223133223A35302C2252C3814241223A302C22472643223A302C22534E57223A302C2253494B223A302C22537A4BC38956223A302C224C6453744547223A302C224DC381564147223A307D2C22636572746966696361746573223A7B2252C3814241223A5B2262616E6B222C227033222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C22472643223A5B2262616E6B222C227035222C227031222C227034222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C22534E57223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C2253494B223A5B2262616E6B222C227032222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C22537A4BC38956223A5B2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C224C6453744547223A5B2262616E6B222C227033222C227032222C227031222C227034222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D2C224DC381564147223A5B2262616E6B222C227035222C227031222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B222C2262616E6B225D7D2C226368617274223A5B5B224C6453744547225D2C5B224DC381564147225D2C5B2253494B222C22534E57225D2C5B22472643222C22537A4BC38956225D2C5B5D2C5B2252C3814241225D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D2C5B5D5D2C22626F617264223A7B2274696C6573223A7B22443133223A5B223538222C345D2C22453132223A5B224C3333222C325D2C22453130223A5B223537222C325D2C22463131223A5B2237222C325D2C22423137223A5B2235222C355D2C22433136223A5B223537222C305D2C22473130223A5B224C3332222C315D2C224835223A5B2236222C325D2C22483137223A5B2235222C325D2C22473136223A5B2236222C355D2C224437223A5B2236222C325D7D2C2273746174696F6E73223A7B224731342E31223A5B2234225D2C2249322E30223A5B223133225D2C224931342E31223A5B2239225D2C224531322E30223A5B2231225D2C224531302E30223A5B2233225D2C224231372E30223A5B2236225D2C224731302E30223A5B2237225D2C2248352E30223A5B2238225D2C224831372E30223A5B223130225D2C2244372E30223A5B223131225D7D7D2C22737570706C79223A7B2237223A332C2238223A32312C2233223A352C2234223A31322C2235223A362C2236223A342C224C3332223A332C224C3333223A302C223136223A322C223230223A312C223233223A362C223235223A322C223236223A342C223238223A322C223330223A322C22323034223A332C223837223A362C22363139223A352C223134223A382C22323039223A312C22323336223A312C22323337223A322C2238383538223A312C2238383539223A312C2238383630223A312C2238383633223A312C2238383634223A312C2238383635223A312C223339223A322C223431223A322C223433223A322C223434223A322C223435223A322C22473137223A342C22363131223A382C224C3137223A332C224C3334223A322C224C3335223A312C224C3338223A312C22343535223A322C225839223A312C224C3336223A312C224C3337223A317D2C227068617365223A2279656C6C6F77222C22747261696E73223A7B223131223A5B5B22322D31222C2232225D5D2C2231223A5B5B22322D32222C2232225D5D2C2237223A5B5D2C2234223A5B5B22322D34222C2232225D5D2C2236223A5B5B22322D35222C2232225D5D2C2233223A5B5B22322D36222C2232225D5D2C223130223A5B5B22322D37222C2232225D5D2C223133223A5B5B22322D38222C2232225D5D2C2238223A5B5B22322D39222C2232225D5D2C2239223A5B5B22322D3130222C2232225D5D7D2C22726576656E7565223A7B2231223A34302C2233223A35302C2234223A302C2236223A34302C2237223A302C2238223A302C2239223A302C223130223A34302C223131223A37302C223133223A302C2252C3814241223A31302C22534E57223A302C22472643223A302C22537A4BC38956223A34302C2253494B223A33302C224DC381564147223A302C224C6453744547223A307D2C226167656E6461223A5B7B227461736B223A22726F756E6473222C227475726E223A322C22726F756E64223A302C226C656E677468223A302C226C617374223A66616C73657D2C7B227461736B223A2273746F636B5F726F756E64222C22706C61796572223A227035222C22706173736573223A302C22736F6C64223A5B5D2C2262616E73223A5B5B227034222C22534E57225D2C5B227034222C2253494B225D2C5B227033222C22534E57225D2C5B227032222C22537A4BC38956225D5D2C226C617374223A227032227D5D2C22726F756E64223A2253522032222C227072696F72697479223A227032222C226F776E657273223A7B2231223A227033222C2233223A227035222C2234223A227035222C2236223A227033222C2237223A227032222C2238223A227032222C2239223A227034222C223130223A227031222C223131223A227031222C223133223A227034227D2C227061636B616765223A7B7D2C226D61726B657273223A7B2252C3814241223A322C22472643223A322C22534E57223A322C2253494B223A322C22537A4BC38956223A322C224C6453744547223A322C224DC381564147223A322C223131223A322C2231223A322C2237223A322C2234223A322C2236223A322C2233223A322C223130223A322C223133223A322C2238223A322C2239223A327D2C227465727261696E5F746F6B656E73223A7B2231223A302C2232223A302C2233223A302C2234223A302C2235223A332C2236223A302C2237223A312C2238223A302C2239223A302C223130223A302C223131223A302C223132223A322C223133223A317D2C22696E64696361746F7273223A5B2233222C2234222C2236225D2C226361726473223A7B2232223A31307D2C226E6F5F747261696E223A312C22736F6C645F747261696E223A66616C73652C2270686173655F626567616E223A66616C73652C226465636C696E6564223A7B7D2C226368616E6365223A3639343337353335372C2269737476616E223A6E756C6C7D');
CREATE TABLE visitors (
	id INTEGER NOT NULL, 
	cookie VARCHAR(64) NOT NULL, 
	account INTEGER, 
	PRIMARY KEY (id), 
	FOREIGN KEY(account) REFERENCES accounts (id), 
	UNIQUE (cookie)
);
CREATE INDEX ix_messages_game ON messages (game);
CREATE INDEX ix_keys_game ON keys (game);
CREATE INDEX ix_keepings_account ON keepings (account);
CREATE INDEX ix_keepings_visitor ON keepings (visitor);
COMMIT;
