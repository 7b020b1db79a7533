// Lets this process import the TypeScript sources of the workspaces: node --import ./scripts/lib/typescript/register.mjs <file>.ts
import { registerSources } from './hooks.mjs';

registerSources();
