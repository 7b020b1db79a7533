import { describe, expect, it } from '@jest/globals';
import { banner, type Shown } from './banner.js';

const platform: Shown = {
  url: 'http://127.0.0.1:4700',
  engines: { summary: [['LiveKit', 'simulated']] },
  firstOrganization: undefined,
  isRealMedia: false,
  isScripted: false,
  hasTelephones: true,
  hasDemo: true,
};
const start = { seconds: '1.0', faults: [], dataDir: undefined };

describe('banner', () => {
  it('offers a campaign and a call where telephones can be called', () => {
    const text = banner(platform, start);
    expect(text).toMatch(/npm run tour {8}/);
    expect(text).toContain('npm run ring -- <one of your numbers>\n');
    const real = { ...platform, isRealMedia: true };
    expect(banner({ ...real, isScripted: true }, start)).toContain('npm run tour -- --real-media ');
    expect(banner(real, start)).not.toContain('npm run tour');
  });

  it('offers neither where browsers alone can talk', () => {
    const text = banner({ ...platform, hasTelephones: false }, start);
    expect(text).not.toMatch(/npm run/);
    expect(text).toContain('/widget-demo');
  });

  it('names the data folder in the commands that have to find it', () => {
    const text = banner(platform, { ...start, dataDir: 'my data' });
    expect(text).toContain(`npm run tour -- --data-dir 'my data' `);
    expect(text).toContain(`npm run ring -- <one of your numbers> --data-dir 'my data'`);
  });
});
