// What `/widget.js` is: the element, which gets all else from the platform that the script came from.
import type { ConnectVoice } from '../conversation/channel.js';
import { Trouble } from '../conversation/problems.js';
import { define } from '../element/voice-agent-widget.js';
import type { Texts } from '../texts/english.js';
import { files, urlOf } from './files.js';

const own = document.currentScript;
const server = own instanceof HTMLScriptElement && own.src !== '' ? new URL(own.src).origin : undefined;

const voiceFile = 'voice.js';
let voice: Promise<ConnectVoice> | undefined;

/** A script element, because a page's policy and the hash then hold for it. */
const loadVoice = (from: string): Promise<ConnectVoice> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = urlOf(voiceFile, from);
    script.integrity = files.integrity[voiceFile] ?? '';
    script.crossOrigin = 'anonymous';
    script.async = true;
    // Policies with 'strict-dynamic' and a nonce go on to what the script loads; others need the nonce.
    if (own?.nonce) script.nonce = own.nonce;
    script.addEventListener('voice-ready', (event) => {
      // Only voice.js of this very version, by its hash, can have told this.
      resolve((event as CustomEvent<ConnectVoice>).detail);
    });
    script.addEventListener('error', () => {
      script.remove();
      voice = undefined;
      reject(new Trouble('media', 'voice.js could not be loaded.'));
    });
    document.head.append(script);
  });

define({
  server,
  voice: (from) => {
    voice ??= loadVoice(from);
    return voice;
  },
  texts: async (language, from) => {
    const path = `texts/${language}.json`;
    const answer = await fetch(urlOf(path, from), {
      integrity: files.integrity[path] ?? '',
      credentials: 'omit',
    });
    return (await answer.json()) as Texts; // the file of this hash
  },
});
