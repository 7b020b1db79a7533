// /widget-demo of a platform that `npm start` has started: the widget works on the platform's own page too.
import { expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { accessibilityFaults } from '../page/accessibility.js';
import { keepScreenshot } from '../page/screenshots.js';
import { widgetOn } from '../testing/widget.js';
import { describeWidget, onWebsites } from '../testing/widget-world.js';

const world = onWebsites();

describeWidget('the page /widget-demo', () => {
  it('shows a conversation and its events, stops nothing of its own, and says what the installation can do', async () => {
    const { visitor, stopped } = await world().openDemo();
    const { page } = visitor;
    const widgetId = await page.locator('voice-agent-widget').getAttribute('widget-id');
    const widget = widgetOn(page, widgetId ?? '');
    const mode = world().hasVoice ? 'voice' : 'text';
    const modes = page.locator('#modes');
    await eventually(async () =>
      expect(await modes.textContent()).toContain(mode === 'voice' ? 'talk' : 'type'),
    );
    await widget.begin(mode);
    await eventually(async () => expect(await page.locator('#events').textContent()).toContain('call-start'));
    await eventually(async () => expect(await page.locator('#events').textContent()).toContain('transcript'));
    expect(await accessibilityFaults(page, 'body')).toEqual([]);
    await keepScreenshot(page, 'widget/demo');
    await widget.button('End').click();
    await eventually(async () => expect(await page.locator('#events').textContent()).toContain('ended'));
    expect([stopped(), visitor.strangers(), visitor.errors()]).toEqual([[], [], []]);
    await visitor.leave();
  });
});
