// A visitor talks in a room of a real LiveKit with the voice runtime.
import { expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { canCutNetwork } from '../page/network.js';
import { detailsOf } from '../testing/events.js';
import { expectNothingStopped, strangersOf } from '../testing/policy.js';
import { widgetOn } from '../testing/widget.js';
import { describeVoice, onWebsites, spokenWords } from '../testing/widget-world.js';

/** In this time the file of the microphone is played once. */
const onceMs = 8_000;

const world = onWebsites();

describeVoice('a visitor who talks', () => {
  const open = async (microphone?: 'granted') => {
    const id = await world().widget();
    const visitor = await world().open({ tags: [{ 'widget-id': id }], ...(microphone && { microphone }) });
    return { id, visitor, page: visitor.page, widget: widgetOn(visitor.page, id) };
  };
  const sessionOf = async (page: Parameters<typeof detailsOf>[0]): Promise<string> =>
    String((await detailsOf(page, 'call-start'))[0]?.sessionId);
  const heardIn = async (page: Parameters<typeof detailsOf>[0]): Promise<readonly unknown[]> =>
    (await detailsOf(page, 'transcript')).flatMap(({ side, text }) => (side === 'visitor' ? [text] : []));

  it('is asked for the microphone after the click alone, is heard, and reads both sides as they speak', async () => {
    const before = world().site.violations().length;
    const { id, visitor, page, widget } = await open('granted');
    await widget.button('Talk to us').click();
    await widget.button('Start').click();
    await widget.button('I agree').waitFor();
    expect(visitor.microphoneQuestions()).toBe(0);
    await widget.button('I agree').click();
    await widget.reaches('talking');
    expect(visitor.microphoneQuestions()).toBe(1);
    await eventually(async () => expect(await widget.answers()).not.toEqual([]));
    const lines = await detailsOf(page, 'transcript');
    expect(lines.some(({ side, final }) => side === 'agent' && final === false)).toBe(true);
    await eventually(async () => expect(await heardIn(page)).toContain(spokenWords));
    expect(await widget.lines()).toContain(spokenWords);
    await widget.button('End').click();
    await widget.reaches('ended');
    expect((await detailsOf(page, 'ended')).map(({ reason }) => reason)).toEqual(['visitor']);
    await expectNothingStopped(page, world().site, before);
    expect([strangersOf(visitor), visitor.errors()]).toEqual([[], []]);
    await visitor.leave();
    const turns = await world().transcript(id);
    expect(turns.filter(({ role }) => role === 'user').map(({ text }) => text)).toContain(spokenWords);
    await eventually(async () =>
      expect(await world().calls(id)).toEqual([
        expect.objectContaining({ channel: 'widget', status: 'completed', endedReason: 'user_hangup' }),
      ]),
    );
  });

  it('of the console is heard by the agent that is tried, and reads both sides', async () => {
    const visitor = await world().openTry();
    const { page } = visitor;
    await page.getByRole('button', { name: 'Begin to talk' }).click();
    await page.getByText(/^The agent (listens|thinks|speaks)$/).waitFor();
    const lines = page.getByRole('log', { name: 'Spoken conversation with the agent' });
    await lines.getByText('Agent', { exact: true }).first().waitFor();
    const level = (): Promise<number> => page.evaluate(() => document.querySelector('meter')?.value ?? 0);
    await eventually(async () => expect(await level()).toBeGreaterThan(0.1));
    await lines.getByText(spokenWords).first().waitFor();
    const path = await page
      .getByRole('link', { name: 'Open it in the call log' })
      .last()
      .getAttribute('href');
    const played = await world().playTurns(path?.split('/').at(-1) ?? '');
    const timings = { endOfTurnMs: 400, recognitionMs: 200, firstTokenMs: 300, firstSoundMs: 100 };
    await played.say('An answer of a model.', { model: 'openai/gpt-4.1', timings });
    await page.getByRole('img', { name: /^Answer \d+: 1000 ms/ }).waitFor();
    await page.getByText('openai/gpt-4.1 answers').waitFor();
    await page.getByRole('button', { name: 'Mute microphone', pressed: false }).click();
    await page.getByRole('button', { name: 'Mute microphone', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Hang up' }).click();
    await page.getByText('The conversation has ended.').waitFor();
    expect([strangersOf(visitor), visitor.errors()]).toEqual([[], []]);
    await visitor.leave();
  });

  it('who mutes is not heard, may type meanwhile, and is heard again afterwards', async () => {
    const { visitor, page, widget } = await open('granted');
    await widget.begin('voice');
    await widget.button('Mute microphone').click();
    await widget.button('Unmute microphone').waitFor();
    const mutedAt = Date.now();
    const before = (await heardIn(page)).length;
    for (let written = 1; Date.now() - mutedAt < onceMs; written += 1) {
      const answers = (await widget.answers()).length;
      await widget.write(`Message ${written}`);
      await eventually(async () => expect((await widget.answers()).length).toBeGreaterThan(answers));
    }
    const whileMuted = (await heardIn(page)).slice(before);
    expect(whileMuted.filter((text) => !String(text).startsWith('Message'))).toEqual([]);
    await widget.button('Unmute microphone').click();
    await eventually(async () => expect((await heardIn(page)).slice(before)).toContain(spokenWords));
    await visitor.leave();
  });

  it('whose microphone is blocked is told so, has begun nothing, and may write instead', async () => {
    const { visitor, page, widget } = await open();
    await widget.button('Talk to us').click();
    await widget.button('Start').click();
    await widget.button('I agree').click();
    await widget.reaches('failed');
    expect(await widget.shownText()).toContain('Your browser blocks the microphone.');
    expect((await detailsOf(page, 'error')).map(({ code }) => code)).toEqual(['MICROPHONE_BLOCKED']);
    expect([await detailsOf(page, 'call-start'), await detailsOf(page, 'ended')]).toEqual([[], []]);
    await widget.chooseToWrite().click();
    await widget.button('I agree').click();
    await widget.reaches('typing');
    await visitor.leave();
  });

  (canCutNetwork ? it : it.skip)(
    'whose network is cut for five seconds is heard again in the same conversation',
    async () => {
      const { visitor, page, widget } = await open('granted');
      await widget.begin('voice');
      await eventually(async () => expect(await widget.answers()).not.toEqual([]));
      await (await world().chromium.cutNetwork(5_000)).back;
      await widget.reaches('talking');
      const before = (await heardIn(page)).length;
      await eventually(async () => expect((await heardIn(page)).slice(before)).toContain(spokenWords));
      expect([await detailsOf(page, 'call-start'), await detailsOf(page, 'ended')]).toEqual([
        [expect.anything()],
        [],
      ]);
      await visitor.leave();
    },
  );

  it('who closes the tab leaves no call behind', async () => {
    const { id, visitor, page, widget } = await open('granted');
    await widget.begin('voice');
    const session = await sessionOf(page);
    await eventually(async () => expect(await world().live(session)).toHaveLength(1));
    await page.close();
    await eventually(async () => expect(await world().live(session)).toEqual([]));
    await eventually(async () =>
      expect(await world().calls(id)).toEqual([expect.objectContaining({ status: 'completed' })]),
    );
    await visitor.leave();
  });

  it('whose call an operator ends is told so once', async () => {
    const { visitor, page, widget } = await open('granted');
    await widget.begin('voice');
    const session = await sessionOf(page);
    const [call] = await eventually(async () => {
      const found = await world().live(session);
      expect(found).toHaveLength(1);
      return found;
    });
    await world().endLive(call?.roomName ?? '');
    await widget.reaches('ended');
    expect((await detailsOf(page, 'ended')).map(({ reason }) => reason)).toEqual(['agent']);
    await visitor.leave();
  });
});
