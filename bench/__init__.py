"""The benchmarks: what a page of the console costs, beside the least that such a page can cost."""
