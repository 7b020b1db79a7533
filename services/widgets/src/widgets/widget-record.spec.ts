import { describe, expect, it } from '@jest/globals';
import type { WidgetMode } from '@parlance/contracts';
import { modeOf } from '../visitors/asked-session.js';
import { type InstalledModes, newDocument, offeredModes, type WidgetRow } from './widget-record.js';

const widget = (...modes: WidgetMode[]): WidgetRow => ({
  ...{ id: 'w', organization_id: 'o', agent_id: 'a', name: 'Shop', enabled: true, sessions_30d: 0 },
  ...{ created_at: new Date(0), updated_at: new Date(0) },
  document: { ...newDocument, modes },
});

const both: InstalledModes = { voice: true, text: true };
const textOnly: InstalledModes = { voice: false, text: true };

describe('the mode of a session', () => {
  it.each([
    ['voice where a new widget has it', newDocument.modes, both, undefined, 'voice'],
    ['text where the installation has no voice', newDocument.modes, textOnly, undefined, 'text'],
    ['text where the widget offers text alone', ['text'], both, undefined, 'text'],
    ['voice before text, in whichever order they are offered', ['text', 'voice'], both, undefined, 'voice'],
    ['the mode that the visitor names', newDocument.modes, both, 'text', 'text'],
  ] as const)('is %s', (_, modes, installation, mode, started) => {
    expect(modeOf(widget(...modes), installation, { mode })).toBe(started);
  });

  it.each([
    ['a mode that the installation does not have', newDocument.modes, textOnly, 'voice'],
    ['a mode that the widget does not offer', ['voice'], both, 'text'],
    ['no mode, where none is left', ['voice'], textOnly, undefined],
  ] as const)('is refused for %s', (_, modes, installation, mode) => {
    expect(() => modeOf(widget(...modes), installation, { mode })).toThrow(
      expect.objectContaining({ code: 'MODE_NOT_OFFERED' }),
    );
  });
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
