"""What 18xx titles share: the base of a title and its table, and the steps of stock and operating rounds."""
