// Finds the Chromium of this machine, and starts it without a window and without traffic of its own.
import { randomUUID } from 'node:crypto';
import { onPath } from '@parlance/engines';
import { type Browser, chromium } from 'playwright-core';
import { cutNetwork, type NetworkCut } from './network.js';

const programs = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Path of the program: `CHROMIUM_BIN` where it is set, else an installed one. */
export const findChromium = (): string | undefined =>
  process.env.CHROMIUM_BIN || programs.map(onPath).find((path) => path !== undefined);

let isReported = false;

/** Says so once, on standard error, where no Chromium is installed. */
export const hasChromium = (): boolean => {
  if (findChromium() !== undefined) return true;
  if (!isReported) process.stderr.write('chromium: not installed, no page is opened in a browser\n');
  isReported = true;
  return false;
};

export interface ChromiumOptions {
  /** WAVE file that the microphone hears, again and again; without it the microphone beeps once a second. */
  readonly microphone?: string;
}

const disabledFeatures = [
  // Rooms on loopback are reached by address: names of mDNS would need a service that containers have not.
  'WebRtcHideLocalIpsWithMdns',
  // The address bar of each window would be a web page in a renderer of its own, which takes more processor time than the page
  // of the test.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'PreloadTopChromeWebUI',
];

const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages of a test may play sound before anybody has clicked; no machine that tests has a loudspeaker to disturb.
  '--autoplay-policy=no-user-gesture-required',
  `--disable-features=${disabledFeatures.join(',')}`,
];

export interface Chromium {
  readonly browser: Browser;
  /** From its answer on nothing leaves and nothing arrives for so many milliseconds. Linux only. */
  cutNetwork(ms: number): Promise<NetworkCut>;
  stop(): Promise<void>;
}

/** Starts it with an empty profile and a microphone of software. @throws Error where no Chromium is installed */
export const startChromium = async ({ microphone }: ChromiumOptions = {}): Promise<Chromium> => {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error(
      'No Chromium is installed. Install the package chromium, or name a program in CHROMIUM_BIN.',
    );
  const heard = microphone === undefined ? [] : [`--use-file-for-fake-audio-capture=${microphone}`];
  // Chromium passes over a flag that it does not know; this one finds its processes again.
  const mark = `--parlance-browser=${randomUUID()}`;
  const browser = await chromium.launch({
    executablePath,
    // Chromium's own sandbox needs rights that the root of a container has not.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [...quiet, '--use-fake-device-for-media-stream', ...heard, mark],
  });
  return { browser, cutNetwork: (ms) => cutNetwork(mark, ms), stop: () => browser.close() };
};
