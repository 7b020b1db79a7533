// The class under the element: an HTMLElement with a property for each attribute, and with the types of its events.
import { attributes, type PropertyName } from './attributes.js';
import type { VoiceAgentEvents } from './events.js';

type Values = { [K in Exclude<PropertyName, 'dynamicVariables'>]: string | null };

/** A null removes the attribute. */
export interface ElementBase extends HTMLElement, Values {
  get dynamicVariables(): string | null;
  set dynamicVariables(value: string | Readonly<Record<string, string>> | null);
  addEventListener<T extends keyof VoiceAgentEvents>(
    type: T,
    listener: (event: VoiceAgentEvents[T]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

/** On a server there is no such class; a page that is rendered there only has to import this file. */
const Native: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as unknown as typeof HTMLElement); // never constructed there

class WithAttributes extends Native {}
for (const { attribute, property } of attributes)
  Object.defineProperty(WithAttributes.prototype, property, {
    configurable: true,
    enumerable: true,
    get(this: HTMLElement) {
      return this.getAttribute(attribute);
    },
    set(this: HTMLElement, value: unknown) {
      if (value === null || value === undefined) this.removeAttribute(attribute);
      else this.setAttribute(attribute, typeof value === 'object' ? JSON.stringify(value) : String(value));
    },
  });

// The loop above defines the properties that the interface names.
export const Base = WithAttributes as unknown as new () => ElementBase;
