"""What every 18xx game shares: no title, no file, no network, no clock in here."""
