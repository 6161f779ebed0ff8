"""The arithmetic: one subject a module, frozen results, no knowledge of drawing, forms or pages."""
