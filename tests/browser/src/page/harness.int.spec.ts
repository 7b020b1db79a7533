// The harness itself: each of its findings is provoked once, so that a suite which finds nothing has really looked.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createToneListener } from '@parlance/fake-kit/tones';
import { eventually } from '@parlance/fixtures';
import { accessibilityFaults } from './accessibility.js';
import { type Chromium, hasChromium, startChromium } from './chromium.js';
import { writeKeys } from './microphone.js';
import { canCutNetwork } from './network.js';
import { type Site, startSite } from './site.js';
import { visit } from './visit.js';

(hasChromium() ? describe : describe.skip)('in Chromium', () => {
  let chromium: Chromium;
  let site: Site;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parlance-browser-'));
    writeKeys(join(folder, 'keys.wav'), '1207', { beforeMs: 500, afterMs: 1_000 });
    chromium = await startChromium({ microphone: join(folder, 'keys.wav') });
    site = await startSite();
  });
  afterAll(async () => {
    await chromium?.stop();
    await site?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('a page is told what its policy stops, and who it asks outside of its hosts', async () => {
    const { host } = new URL(site.origin);
    const url = site.show('/faults', {
      body: `<script>document.title = 'ran';</script><script src="http://127.0.0.1:9/stranger.js"></script>`,
      policy: { 'script-src': 'http://127.0.0.1:9' },
    });
    const visitor = await visit(chromium.browser, url, { hosts: [] });
    await eventually(() => {
      expect(site.violations()).toContainEqual({ directive: 'script-src-elem', blocked: 'inline' });
      expect(visitor.strangers()).toEqual(['http://127.0.0.1:9/stranger.js']);
    });
    expect([await visitor.page.title(), host.startsWith('localhost:')]).toEqual(['A shop', true]);
    await visitor.leave();
  });

  it('a fault of accessibility is found inside of a shadow root', async () => {
    site.script(
      '/unnamed.js',
      `customElements.define('un-named', class extends HTMLElement {
        connectedCallback() { this.attachShadow({ mode: 'open' }).append(document.createElement('button')); }
      });`,
    );
    const body = '<main><h1>A shop</h1><un-named></un-named></main><script src="/unnamed.js"></script>';
    const url = site.show('/unnamed', { body, policy: { 'script-src': "'self'" } });
    const visitor = await visit(chromium.browser, url, { hosts: [] });
    const faults = await accessibilityFaults(visitor.page, 'un-named');
    expect(faults.map(({ rule }) => rule)).toEqual(['button-name']);
    await visitor.leave();
  });

  it('a target that is too small to be met is found', async () => {
    const small = '<button style="all: unset; display: inline-block; width: 12px; height: 12px">x</button>';
    const url = site.show('/small', { body: `<main><h1>A shop</h1>${small}${small}</main>` });
    const visitor = await visit(chromium.browser, url, { hosts: [] });
    const faults = await accessibilityFaults(visitor.page, 'main');
    expect(faults.map(({ rule }) => rule)).toEqual(['target-size']);
    await visitor.leave();
  });

  (canCutNetwork ? it : it.skip)(
    'a page reaches nobody while the network is cut, and everybody afterwards',
    async () => {
      const visitor = await visit(chromium.browser, site.show('/cut', { body: '' }), { hosts: [] });
      const ask = () => visitor.page.evaluate(async () => (await fetch('/cut')).status);
      expect(await ask()).toBe(200);
      let isBack = false;
      const cut = await chromium.cutNetwork(1_000);
      const back = cut.back.then(() => {
        isBack = true;
      });
      const answered = ask().then((status) => ({ status, wasBack: isBack }));
      await back;
      expect(await answered).toEqual({ status: 200, wasBack: true });
      await visitor.leave();
    },
  );

  describe('a microphone', () => {
    const listen = async (microphone?: 'granted') => {
      const url = site.show('/listen', { body: '' });
      return visit(chromium.browser, url, { hosts: [], ...(microphone && { microphone }) });
    };

    it('that is blocked is refused, and each question is counted', async () => {
      const visitor = await listen();
      const refused = await visitor.page.evaluate(() =>
        navigator.mediaDevices.getUserMedia({ audio: true }).then(
          () => 'granted',
          ({ name }: Error) => name,
        ),
      );
      expect([refused, visitor.microphoneQuestions()]).toEqual(['NotAllowedError', 1]);
      await visitor.leave();
    });

    it('hears the keys of its file', async () => {
      const visitor = await listen('granted');
      const samples = await visitor.page.evaluate(async () => {
        const audio = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
        const stream = await navigator.mediaDevices.getUserMedia({ audio });
        const context = new AudioContext({ sampleRate: 8_000 });
        const tap = context.createScriptProcessor(1_024, 1, 1);
        const heard: number[] = [];
        context.createMediaStreamSource(stream).connect(tap).connect(context.destination);
        const enough = 8_000 * 4;
        return new Promise<number[]>((resolve) => {
          tap.onaudioprocess = ({ inputBuffer }) => {
            for (const sample of inputBuffer.getChannelData(0)) heard.push(Math.round(sample * 32_767));
            if (heard.length >= enough) resolve(heard);
          };
        });
      });
      const listener = createToneListener(8_000);
      const heard = [...listener.hear(Int16Array.from(samples)), ...listener.end()];
      expect(heard.flatMap((part) => (part.kind === 'keys' ? [part.keys] : []))).toContain('1207');
      await visitor.leave();
    });
  });
});
