#!/usr/bin/env node
// What MCP clients start. Built by `npm start`, `npm test` and `npm run build`.
import '../dist/bridge/main.js';
