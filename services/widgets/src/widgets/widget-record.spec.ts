import { describe, expect, it } from '@jest/globals';
import type { WidgetMode } from '@parlance/contracts';
import { newDocument, offeredModes, type WidgetRow } from './widget-record.js';

const widget = (...modes: WidgetMode[]): WidgetRow => ({
  ...{ id: 'w', organization_id: 'o', agent_id: 'a', name: 'Shop', enabled: true, sessions_30d: 0 },
  ...{ created_at: new Date(0), updated_at: new Date(0) },
  document: { ...newDocument, modes },
});

describe('the modes that visitors are offered', () => {
  it.each([
    [['voice', 'text'], { voice: true, text: true }, ['voice', 'text']],
    [['text', 'voice'], { voice: true, text: false }, ['voice']],
    [['voice', 'text'], { voice: false, text: true }, ['text']],
    [['voice'], { voice: false, text: true }, []],
    [['text'], { voice: true, text: true }, ['text']],
  ] as const)('of a widget with %j on an installation with %j are %j', (modes, installation, offered) => {
    expect(offeredModes(widget(...modes), installation)).toEqual(offered);
  });
});
