// Languages of the local speech service, by its table of models (runtime/speech/models.json). Pure.
import { offersLanguage } from './estimate.js';

/** By a neural voice. */
export const naturalLanguages: readonly string[] = ['en', 'es', 'fr', 'hi', 'it', 'pt'];
/** By espeak-ng. */
export const mechanicalLanguages: readonly string[] =
  'bg cs da de el fi hr hu id ms nl no pl ro ru sk sv ta tr uk vi'.split(' ');

type LocalSpeech = 'natural' | 'mechanical' | 'none';

export const localSpeechOf = (language: string): LocalSpeech => {
  if (offersLanguage(naturalLanguages, language)) return 'natural';
  return offersLanguage(mechanicalLanguages, language) ? 'mechanical' : 'none';
};
