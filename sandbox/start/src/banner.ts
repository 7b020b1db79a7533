// The text that a person reads once the platform runs. It offers nothing that this platform cannot do.
import { type Fault, headline } from './first-look.js';
import type { Platform } from './platform.js';

export type Shown = Pick<
  Platform,
  'url' | 'firstOrganization' | 'isRealMedia' | 'isScripted' | 'hasTelephones' | 'hasDemo'
> & { readonly engines: Pick<Platform['engines'], 'summary'> };

export interface Start {
  readonly seconds: string;
  readonly faults: readonly Fault[];
  /** The folder as the person named it; undefined for the usual one. */
  readonly dataDir: string | undefined;
}

const quoted = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

const telephoneLines = ({ isRealMedia, isScripted }: Shown, dataDir: string | undefined): string[] => {
  const folder = dataDir === undefined ? [] : ['--data-dir', quoted(dataDir)];
  const tour = [...(isRealMedia ? ['--real-media'] : []), ...folder];
  // The telephones of the tour press keys, which the script understands.
  const hasTour = !isRealMedia || isScripted;
  return [
    ...(hasTour
      ? [
          `  First campaign: npm run tour${tour.length === 0 ? '' : ` -- ${tour.join(' ')}`}        (in another terminal)`,
        ]
      : []),
    `  A call to you:  npm run ring -- <one of your numbers>${folder.length === 0 ? '' : ` ${folder.join(' ')}`}`,
  ];
};

export const banner = (platform: Shown, { seconds, faults, dataDir }: Start): string => {
  const { url, engines, firstOrganization, hasTelephones, hasDemo } = platform;
  const { email, password, apiKey } = firstOrganization ?? {};
  return [
    '',
    ...headline(url, seconds, faults),
    ...engines.summary.map(([name, what]) => `    ${name.padEnd(14)}${what}`),
    '',
    ...(firstOrganization === undefined
      ? []
      : [
          '  Your first organization, shown this once:',
          `    e-mail        ${email}`,
          `    password      ${password}`,
          `    API key       ${apiKey}`,
          '',
        ]),
    `  Look around:    ${url}/api/v1/docs`,
    ...(hasDemo ? [`  On a website:   ${url}/widget-demo`] : []),
    ...(hasTelephones ? telephoneLines(platform, dataDir) : []),
    '  Stop:           Ctrl-C',
    '',
  ].join('\n');
};
