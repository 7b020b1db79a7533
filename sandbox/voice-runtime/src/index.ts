// The runtime is a program: importing this loads neither the media library nor anything else of it.
import { fileURLToPath } from 'node:url';

export { voiceName } from './synthesizer.js';

/** Path of the program, for `node`. */
export const voiceRuntimeProgram: string = fileURLToPath(new URL('./main.js', import.meta.url));
