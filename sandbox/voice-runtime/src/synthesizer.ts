// Finds the program that speaks.
import { onPath } from '@parlance/engines';

export const findSynthesizer = (): string | undefined => onPath('espeak-ng');

/** For people: the voice that calls on this machine have. */
export const voiceName = (): string => (findSynthesizer() === undefined ? 'a murmur' : 'espeak-ng');
