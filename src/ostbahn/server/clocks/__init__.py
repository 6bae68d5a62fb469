"""Time: clocks, what happens at their end, votes about them, holidays."""
