// Variables of the speech service, which reads them in Python (runtime/speech/parlance_speech/settings.py).
import { speechKeyEnv, wholeNumber } from '@parlance/config';
import { z } from 'zod';

const folder = (about: string) => z.string().optional().describe(about);

export const SpeechEnv = z
  .object({
    ...speechKeyEnv,
    SPEECH_HOST: z.string().default('127.0.0.1').describe('Address on which the speech service listens.'),
    SPEECH_PORT: wholeNumber(1, 65_535).default(4_760).describe('Port on which the speech service listens.'),
    SPEECH_MODELS_DIR: folder('Folder of the models of this release; the service verifies each file.'),
    SPEECH_MODELS: folder(
      'Names of the models to load, separated by commas; those that the table marks as default unless given.',
    ),
    VOICE_MODELS_DIR: folder('Folder with models of your own, which is searched first.'),
    VOICE_MODELS_FILE: folder('Table with models of your own (runtime/speech/README.md).'),
    SPEECH_THREADS: wholeNumber(1, 64)
      .optional()
      .describe(
        'Transcripts at once, and threads that speak one clause; as many as processors, and 4 at most.',
      ),
    SPEECH_MAX_BODY_MB: wholeNumber(1, 200).default(25).describe('Largest request, in megabytes.'),
    SPEECH_MAX_AUDIO_SECONDS: wholeNumber(1, 3_600).default(300).describe('Longest audio of a request.'),
    SPEECH_MAX_CHARACTERS: wholeNumber(1, 100_000).default(4_096).describe('Longest text that is spoken.'),
    SPEECH_MAX_QUEUE: wholeNumber(1, 1_000)
      .default(16)
      .describe('Requests that wait for a model; a further one is answered 429.'),
    SPEECH_EXIT_WITH_PARENT: z
      .enum(['0', '1'])
      .default('0')
      .meta({ testOnly: true })
      .describe('1: the service ends with the process that started it, as `npm start` wants it.'),
  })
  .meta({ process: 'speech' });
