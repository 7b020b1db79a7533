// The agent is a program: importing this loads neither the media library nor anything else of it.
import { fileURLToPath } from 'node:url';

/** Path of the program, for `node`. */
export const scriptedAgentProgram: string = fileURLToPath(new URL('./main.js', import.meta.url));
