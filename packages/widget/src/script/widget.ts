// The file `/widget.js` holds the element, which gets all else from the platform that the script came from.
import type { ConnectVoice } from '../conversation/channel.js';
import { define } from '../element/voice-agent-widget.js';
import type { PanelModule } from '../panel/module.js';
import type { Texts } from '../texts/english.js';
import { files, urlOf } from './files.js';
import { loadedEvent } from './handing-over.js';

const own = document.currentScript;
const server = own instanceof HTMLScriptElement && own.src !== '' ? new URL(own.src).origin : undefined;

/** A script element, because a page's policy and the hash then hold for it. */
const load = (path: string, from: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = urlOf(path, from);
    script.integrity = files.integrity[path] ?? '';
    script.crossOrigin = 'anonymous';
    // A policy with a nonce wants it on each script.
    if (own?.nonce) script.nonce = own.nonce;
    script.addEventListener(loadedEvent, (event) => resolve((event as CustomEvent<unknown>).detail));
    script.addEventListener('error', () => reject(new Error(`${path} could not be loaded.`)));
    // The script has run by then, so its element can go.
    for (const end of ['load', 'error']) script.addEventListener(end, () => script.remove());
    document.head.append(script);
  });

const loaded = new Map<string, Promise<unknown>>();

/** Each file is loaded once, and again after a failure. */
const once = (path: string, from: string): Promise<unknown> => {
  const loading = loaded.get(path) ?? load(path, from);
  loaded.set(path, loading);
  loading.catch(() => loaded.delete(path));
  return loading;
};

// The type of a file's content is known, because the hash fixes the content.
define({
  server,
  panel: async (from) => (await once('panel.js', from)) as PanelModule,
  voice: async (from) => (await once('voice.js', from)) as ConnectVoice,
  texts: async (language, from) => {
    const path = `texts/${language}.json`;
    const init = { integrity: files.integrity[path] ?? '', credentials: 'omit' } as const;
    return (await (await fetch(urlOf(path, from), init)).json()) as Texts;
  },
});
