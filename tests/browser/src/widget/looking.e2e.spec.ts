// The looks of the widget: each theme and variant, small screens, other directions of writing, and keys alone. The
// rules of axe are held in each state. Every picture is kept.
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { accessibilityFaults } from '../page/accessibility.js';
import { keepScreenshot } from '../page/screenshots.js';
import type { VisitOptions } from '../page/visit.js';
import { type WidgetOnPage, widgetOn } from '../testing/widget.js';
import { describeWidget, onWebsites } from '../testing/widget-world.js';

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;
const desk = { viewport: { width: 1_024, height: 768 } } as const;
const question = 'Where is my order?';

const world = onWebsites();

describeWidget('a visitor sees', () => {
  const open = async (
    attributes: Readonly<Record<string, string>>,
    context: NonNullable<VisitOptions['context']>,
    page: { readonly language?: string; readonly direction?: 'ltr' | 'rtl' } = {},
  ) => {
    const id = await world().widget();
    const visitor = await world().open({ tags: [{ 'widget-id': id, ...attributes }], context, ...page });
    return { visitor, page: visitor.page, widget: widgetOn(visitor.page, id) };
  };
  const expectAccessible = async (widget: WidgetOnPage): Promise<void> => {
    expect(await accessibilityFaults(widget.element.page(), 'voice-agent-widget')).toEqual([]);
  };

  describe.each([
    ['a desk', desk, 'desk'],
    ['a phone of 390 pixels', phone, 'phone'],
  ] as const)('on %s', (where, context, size) => {
    it.each(['compact', 'full', 'inline'] as const)(
      'the variant %s in both themes without a fault of accessibility, from the launcher to the end',
      async (variant) => {
        const { visitor, page, widget } = await open({ variant, theme: 'light' }, context);
        const look = async (state: string): Promise<void> => {
          for (const theme of ['dark', 'light'] as const) {
            await page.emulateMedia({ colorScheme: theme });
            await widget.element.evaluate((element, to) => element.setAttribute('theme', to), theme);
            // Rules beside those about colors find the same in both.
            const rules = theme === 'light' ? undefined : ['color-contrast'];
            expect(await accessibilityFaults(page, 'voice-agent-widget', rules)).toEqual([]);
            await keepScreenshot(page, `widget/${theme}-${variant}-${size}-${state}`);
          }
        };
        if (variant !== 'inline') {
          await widget.button('Talk to us').waitFor();
          await look('1-closed');
          await widget.button('Talk to us').click();
        }
        await widget.chooseToWrite().waitFor();
        await look('2-welcome');
        await widget.chooseToWrite().click();
        await widget.button('I agree').waitFor();
        await look('3-consent');
        await widget.button('I agree').click();
        await widget.reaches('typing');
        await widget.write(question);
        await eventually(async () => expect(await widget.lines()).toHaveLength(3));
        await look('4-typing');
        const { width } = context.viewport;
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        await widget.button('End').click();
        await widget.reaches('ended');
        await look('5-ended');
        await visitor.leave();
        expect([where, visitor.errors()]).toEqual([where, []]);
      },
    );
  });

  it('an agent that writes from right to left, in Arabic and in Hebrew', async () => {
    for (const language of ['ar', 'he']) {
      const page = { language, direction: 'rtl' } as const;
      const { visitor, widget } = await open({ language }, desk, page);
      await widget.element.getByRole('button').first().click();
      await eventually(async () => expect(await widget.element.getByRole('dialog').count()).toBe(1));
      const direction = await widget.element
        .getByRole('dialog')
        .evaluate((dialog) => getComputedStyle(dialog).direction);
      expect([language, direction]).toEqual([language, 'rtl']);
      // A name in Latin letters keeps its own direction.
      const name = widget.element.locator('.name');
      expect(await name.evaluate((one) => getComputedStyle(one).direction)).toBe('ltr');
      await expectAccessible(widget);
      await keepScreenshot(visitor.page, `widget/right-to-left-${language}`);
      await visitor.leave();
    }
  });

  it('nothing that moves by itself, where less motion was asked for', async () => {
    const { visitor, widget } = await open({}, { ...desk, reducedMotion: 'reduce' });
    await widget.begin('text');
    const moving = await widget.element.evaluate(
      (element) =>
        element.shadowRoot
          ?.getAnimations()
          .filter(({ effect }) => effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY).length,
    );
    expect(moving).toBe(0);
    await visitor.leave();
  });

  it('every state with forced colors without a fault of accessibility', async () => {
    const { visitor, page, widget } = await open({}, { ...desk, forcedColors: 'active' });
    await widget.begin('text');
    await expectAccessible(widget);
    await keepScreenshot(page, 'widget/forced-colors');
    await visitor.leave();
  });

  it('why a conversation could not begin, without a fault of accessibility', async () => {
    const { visitor, page, widget } = await open({}, desk);
    await widget.button('Talk to us').click();
    await widget.chooseToWrite().click();
    await visitor.context.setOffline(true);
    await widget.button('I agree').click();
    await widget.reaches('failed');
    expect(await widget.shownText()).toContain('You seem to be offline.');
    await expectAccessible(widget);
    await keepScreenshot(page, 'widget/failed');
    await visitor.context.setOffline(false);
    await widget.button('Try again').click();
    await widget.button('I agree').click();
    await widget.reaches('typing');
    await visitor.leave();
  });

  it('the whole way with keys alone, and the focus never gets lost', async () => {
    const { visitor, page, widget } = await open({ mode: 'text' }, desk);
    await widget.button('Talk to us').waitFor();
    const focused = (): Promise<string> =>
      widget.element.evaluate((element) => element.shadowRoot?.activeElement?.textContent?.trim() ?? '');
    const press = (key: string): Promise<void> => page.keyboard.press(key);
    await press('Tab');
    expect(await focused()).toBe('Talk to us');
    await press('Enter');
    await eventually(async () => expect(await focused()).toBe('Start writing'));
    await press('Enter');
    await eventually(async () => expect(await focused()).toBe('I agree'));
    await press('Enter');
    await widget.reaches('typing');
    await page.keyboard.type(question);
    await press('Enter');
    await eventually(async () => expect(await widget.lines()).toHaveLength(3));
    await press('Escape');
    await eventually(async () => expect(await focused()).toBe('Talk to us'));
    expect(await widget.phase()).toBe('typing');
    await press('Enter');
    await eventually(async () => expect(await widget.element.getByRole('dialog').count()).toBe(1));
    for (let step = 0; (await focused()) !== 'End'; step += 1) {
      expect(step).toBeLessThan(10);
      await press('Tab');
    }
    await press('Enter');
    await widget.reaches('ended');
    await visitor.leave();
  });
});
