// One widget of a page, handled as a visitor does: by the names of its buttons, and by what it shows.
import { expect } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import type { Locator, Page } from 'playwright-core';
import { detailsOf } from './events.js';

export interface WidgetOnPage {
  readonly element: Locator;
  button(name: string): Locator;
  /** The button that begins to write, beside voice or alone. */
  chooseToWrite(): Locator;
  /** All text of the widget, hidden or not. */
  shownText(): Promise<string>;
  /** Where the conversation stands, by the element's own word. */
  phase(): Promise<string>;
  reaches(phase: string): Promise<void>;
  /** Opens the panel, chooses and agrees. Resolves when the conversation has begun. */
  begin(mode: 'voice' | 'text'): Promise<void>;
  /** Types a message and sends it. */
  write(text: string): Promise<void>;
  /** The lines of the transcript. */
  lines(): Promise<readonly string[]>;
  /** Finished sentences of the agent that the page was told. */
  answers(): Promise<readonly string[]>;
}

export const widgetOn = (page: Page, widgetId: string): WidgetOnPage => {
  const element = page.locator(`voice-agent-widget[widget-id="${widgetId}"]`);
  const button = (name: string): Locator => element.getByRole('button', { name, exact: true });
  const chooseToWrite = (): Locator =>
    element.getByRole('button', { name: /^(Write instead|Start writing)$/ });
  const phase = (): Promise<string> => element.evaluate((one) => String(Reflect.get(one, 'phase')));
  const reaches = (wanted: string): Promise<void> =>
    eventually(async () => expect(await phase()).toBe(wanted));
  return {
    element,
    button,
    chooseToWrite,
    shownText: () => element.evaluate(({ shadowRoot }) => shadowRoot?.textContent ?? ''),
    phase,
    reaches,
    begin: async (mode) => {
      await button('Talk to us').click();
      await (mode === 'voice' ? button('Start') : chooseToWrite()).click();
      await button('I agree').click();
      await reaches(mode === 'voice' ? 'talking' : 'typing');
    },
    write: async (text) => {
      await element.getByRole('textbox').fill(text);
      await element.getByRole('textbox').press('Enter');
    },
    lines: () => element.locator('.said').allTextContents(),
    answers: async () => {
      const told = new Map<unknown, string>();
      for (const { id, side, final, text } of await detailsOf(page, 'transcript'))
        if (side === 'agent' && final === true) told.set(id, String(text));
      return [...told.values()];
    },
  };
};
