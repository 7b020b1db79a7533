#!/usr/bin/env node
// The program that MCP clients start. Built by `npm start`, `npm test` and `npm run build`.
import '../dist/bridge/main.js';
