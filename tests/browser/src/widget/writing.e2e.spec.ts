// A visitor writes: from the load of the page to the end of the conversation.
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { accessibilityFaults } from '../page/accessibility.js';
import { canCutNetwork } from '../page/network.js';
import { keepScreenshot } from '../page/screenshots.js';
import type { Visit } from '../page/visit.js';
import { detailsOf } from '../testing/events.js';
import { expectNothingStopped, strangersOf } from '../testing/policy.js';
import { type WidgetOnPage, widgetOn } from '../testing/widget.js';
import { describeWidget, onWebsites } from '../testing/widget-world.js';

const question = 'Where is my order?';

interface Opened {
  readonly id: string;
  readonly visitor: Visit;
  readonly page: Visit['page'];
  readonly widget: WidgetOnPage;
}

const world = onWebsites();

describeWidget('a visitor who writes', () => {
  const open = async (settings: object = {}): Promise<Opened> => {
    const id = await world().widget(settings);
    const visitor = await world().open({ tags: [{ 'widget-id': id }] });
    return { id, visitor, page: visitor.page, widget: widgetOn(visitor.page, id) };
  };

  it('agrees, is greeted, asks and is answered on a page of another origin, whose strict policy stops nothing', async () => {
    const before = world().site.violations().length;
    const { id, visitor, page, widget } = await open();
    await widget.button('Talk to us').click();
    await widget.chooseToWrite().click();
    await widget.element.getByText('We keep what is said for a month.').waitFor();
    expect(await detailsOf(page, 'call-start')).toEqual([]);
    await widget.button('I agree').click();
    await widget.reaches('typing');
    await eventually(async () => expect(await widget.answers()).toHaveLength(1));
    await widget.write(question);
    await eventually(async () => expect(await widget.answers()).toHaveLength(2));
    const [greeting, answer] = await widget.answers();
    expect(await widget.lines()).toEqual([greeting, question, answer]);
    await widget.button('End').click();
    await widget.reaches('ended');
    const [start] = await detailsOf(page, 'call-start');
    expect(await detailsOf(page, 'ended')).toEqual([
      { sessionId: start?.sessionId, reason: 'visitor', seconds: expect.any(Number) },
    ]);
    await expectNothingStopped(page, world().site, before);
    expect([strangersOf(visitor), visitor.errors(), visitor.microphoneQuestions()]).toEqual([[], [], 0]);
    await visitor.leave();
    const turns = await world().transcript(id);
    expect(turns.filter(({ role }) => role === 'user').map(({ text }) => text)).toEqual([question]);
  });

  // Each has a widget of its own, and half a minute is long to wait for one of them.

  it.concurrent('sees the end once when the time of the session is over, and is told why', async () => {
    const { visitor, page, widget } = await open({ limits: { maxSessionSeconds: 30 } });
    await widget.begin('text');
    await widget.reaches('ended');
    expect(await detailsOf(page, 'ended')).toEqual([
      expect.objectContaining({ reason: 'time', seconds: 30 }),
    ]);
    expect(await widget.shownText()).toContain('The time for this conversation is over.');
    await visitor.leave();
  });

  it.concurrent('writes a second time on the same page, in a conversation of its own', async () => {
    const { visitor, page, widget } = await open();
    await widget.begin('text');
    await widget.button('End').click();
    await widget.button('New conversation').click();
    await widget.button('I agree').click();
    await widget.reaches('typing');
    await widget.write(question);
    await eventually(async () => expect(await widget.lines()).toHaveLength(3));
    await widget.button('End').click();
    await eventually(async () => expect(await detailsOf(page, 'ended')).toHaveLength(2));
    const sessions = (await detailsOf(page, 'ended')).map(({ sessionId }) => sessionId);
    expect(new Set(sessions).size).toBe(2);
    await visitor.leave();
  });

  it.concurrent('writes to two widgets of one page at once, and the end of one is not the end of the other', async () => {
    const ids = [await world().widget(), await world().widget()] as const;
    const visitor = await world().open({
      tags: [{ 'widget-id': ids[0] }, { 'widget-id': ids[1], position: 'bottom-left' }],
    });
    const { page } = visitor;
    const [first, second] = [widgetOn(page, ids[0]), widgetOn(page, ids[1])];
    await first.begin('text');
    await second.begin('text');
    await first.button('End').click();
    await first.reaches('ended');
    await second.write(question);
    await eventually(async () => expect(await second.lines()).toHaveLength(3));
    expect([await second.phase(), await detailsOf(page, 'ended')]).toEqual(['typing', [expect.anything()]]);
    await visitor.leave();
  });

  it.concurrent('waits for a place in sight of the queue, and begins by itself when it is free', async () => {
    const { id, visitor, widget } = await open({
      limits: { maxConcurrentSessions: 1 },
      queue: { enabled: true, text: 'All of us are talking.' },
    });
    await widget.begin('text');
    const other = await world().open({ tags: [{ 'widget-id': id }] });
    const waiting = widgetOn(other.page, id);
    await waiting.button('Talk to us').click();
    await waiting.chooseToWrite().click();
    await waiting.button('I agree').click();
    await waiting.reaches('queued');
    await waiting.element.getByText('All of us are talking.').waitFor();
    await waiting.element.getByText('You are next.').waitFor();
    await keepScreenshot(other.page, 'widget/queued');
    expect(await accessibilityFaults(other.page, 'voice-agent-widget')).toEqual([]);
    await widget.button('End').click();
    await waiting.reaches('typing');
    expect(await detailsOf(other.page, 'error')).toEqual([]);
    await Promise.all([visitor.leave(), other.leave()]);
  });

  it.concurrent('who goes to another page ends the conversation, and begins a new one after the way back', async () => {
    const { id, visitor, page, widget } = await open();
    await widget.begin('text');
    await widget.write(question);
    await eventually(async () => expect(await widget.answers()).toHaveLength(2));
    await page.goto(world().site.show('/elsewhere', { body: '' }));
    await page.goBack();
    await widgetOn(page, id).begin('text');
    await eventually(async () => {
      expect((await world().calls(id)).filter(({ status }) => status === 'completed')).toHaveLength(1);
    });
    await visitor.leave();
  });

  it.concurrent('is shown markup as text, whoever wrote it', async () => {
    const markup = '<img src=x onerror="window.wasRun = true"><script>window.wasRun = true</script>';
    const { visitor, page, widget } = await open();
    await widget.begin('text');
    await widget.write(markup);
    await eventually(async () => expect(await widget.lines()).toContain(markup));
    await eventually(async () => expect(await widget.answers()).toHaveLength(2));
    expect(await widget.shownText()).toContain(world().agentName);
    expect(await widget.element.locator('img, script, b').count()).toBe(0);
    expect(await page.evaluate(() => Reflect.get(window, 'wasRun'))).toBeUndefined();
    await visitor.leave();
  });

  (canCutNetwork ? it : it.skip)(
    'whose network is cut for five seconds goes on in the same conversation',
    async () => {
      const { visitor, page, widget } = await open();
      await widget.begin('text');
      const cut = await world().chromium.cutNetwork(5_000);
      await widget.write(question);
      await cut.back;
      await eventually(async () => expect(await widget.answers()).toHaveLength(2));
      expect([await widget.phase(), await detailsOf(page, 'ended')]).toEqual(['typing', []]);
      await visitor.leave();
    },
  );

  describe('sees the end once', () => {
    const endThrice = (element: Element): void => {
      for (const _ of [1, 2, 3]) Reflect.get(element, 'end').call(element);
    };
    const ways: readonly (readonly [string, string, (element: Element) => void])[] = [
      ['asks the element three times to end', 'visitor', endThrice],
      ['takes the element out', 'page', (element) => element.remove()],
      [
        'shows another widget in it',
        'page',
        (element) => element.setAttribute('widget-id', crypto.randomUUID()),
      ],
    ];
    it.each(ways)('when the page %s', async (_, reason, act) => {
      const { visitor, page, widget } = await open();
      await widget.begin('text');
      // The event of an element that is taken out reaches no element above it.
      const ends = await widget.element.evaluateHandle((element) => {
        const heard: unknown[] = [];
        element.addEventListener('ended', (event) => heard.push(Reflect.get(event, 'detail').reason));
        return heard;
      });
      await widget.element.evaluate(act);
      await eventually(async () => expect(await ends.jsonValue()).not.toEqual([]));
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })));
      expect(await ends.jsonValue()).toEqual([reason]);
      await visitor.leave();
    });
  });
});
