#!/usr/bin/env node
import '../dist/src/hide-arguments.js';

await import('../dist/src/main.js');
