"""Money and shares: the ledger through which all money moves, certificates, and the share-price chart."""
