// Lets this process import the TypeScript sources of the workspaces.
import { register } from 'node:module';

register('./hooks.mjs', import.meta.url);
