// The custom element: it reads attributes, asks the platform for its configuration, and joins conversation and view.
import { Conversation, type Host } from '../conversation/conversation.js';
import { english, type Texts } from '../texts/english.js';
import { directionOf, languageOf, wordsOf } from '../texts/languages.js';
import type { Actions, Model } from '../view/model.js';
import { themeSheet } from '../view/theme.js';
import { createView, type View } from '../view/view.js';
import { type Platform, platformAt } from '../wire/platform.js';
import { Refusal } from '../wire/refusal.js';
import type { Mode, SessionWish, WidgetConfig } from '../wire/shapes.js';
import { type AttributeName, attributes, oneOf, variablesIn } from './attributes.js';
import { Base } from './base.js';
import type { VoiceAgentEvents } from './events.js';
import type { Loading } from './loading.js';
import { dress } from './sheets.js';

const retrySeconds = [2, 5, 15, 60] as const;
const modes = ['voice', 'text'] as const;

/** Everything that holds for one widget, until the element is removed or shows another. */
interface Shown {
  readonly platform: Platform;
  readonly stop: AbortController;
  config?: WidgetConfig;
  conversation?: Conversation;
  view?: View;
  words?: Texts;
}

export class VoiceAgentWidget extends Base {
  static readonly observedAttributes: readonly AttributeName[] = attributes.map(({ attribute }) => attribute);
  /** Set before the element is defined. */
  static loading: Loading;

  #root: ShadowRoot | undefined;
  #shown: Shown | undefined;
  #isOpen = false;
  #isStale = false;
  #variables: Readonly<Record<string, string>> | undefined;
  readonly #leave = (): void => this.#shown?.conversation?.end('page');

  connectedCallback(): void {
    this.#takeEarlyProperties();
    addEventListener('pagehide', this.#leave);
    if (this.#shown === undefined) this.#show();
  }

  disconnectedCallback(): void {
    // An element that moves is taken out and put in again before this runs.
    queueMicrotask(() => {
      if (this.isConnected) return;
      removeEventListener('pagehide', this.#leave);
      this.#hide();
    });
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after || this.#shown === undefined) return;
    if (name === 'widget-id' || name === 'server') {
      this.#hide();
      this.#show();
    } else if (['language', 'variant', 'mode', 'theme', 'position'].includes(name))
      void this.#dress(this.#shown);
  }

  /** Begins a conversation, as the visitor's click does: the widget may ask for consent first. */
  start(mode?: Mode): void {
    const { conversation } = this.#shown ?? {};
    const offered = this.#modes();
    const wanted = mode ?? offered[0];
    if (conversation === undefined || wanted === undefined) return;
    if (!offered.includes(wanted)) {
      this.#tell('error', { code: 'MODE_NOT_OFFERED', message: `This widget does not offer ${wanted}.` });
      return;
    }
    this.#isOpen = true;
    conversation.choose(wanted);
    this.#changed();
  }

  /** Ends the conversation, or gives up on one that has not begun. */
  end(): void {
    this.#shown?.conversation?.end();
  }

  /** Writes to the agent. @returns false when there is no conversation, or the text did not arrive */
  async sendText(text: string): Promise<boolean> {
    const said = text.trim();
    return said !== '' && (await this.#shown?.conversation?.say(said)) === true;
  }

  /** Variables for the next conversation, instead of those of the attribute. */
  setVariables(variables: Readonly<Record<string, string | number | boolean>>): void {
    this.#variables = variablesIn(JSON.stringify(variables));
  }

  /** Opens or closes the panel; a conversation goes on behind a closed one. */
  get open(): boolean {
    return this.#isOpen;
  }

  set open(isOpen: boolean) {
    this.#isOpen = isOpen;
    this.#changed();
  }

  /** Where the conversation stands: idle, consent, connecting, queued, talking, typing, reconnecting, ended or failed. */
  get phase(): string {
    return this.#shown?.conversation?.phase.name ?? 'idle';
  }

  // Frameworks set properties before the script is here; the setters of the class have to see them.
  #takeEarlyProperties(): void {
    for (const { property } of attributes) {
      if (!Object.hasOwn(this, property)) continue;
      const value: unknown = Reflect.get(this, property);
      Reflect.deleteProperty(this, property);
      Reflect.set(this, property, value);
    }
  }

  get #server(): string | undefined {
    return this.getAttribute('server') ?? VoiceAgentWidget.loading.server;
  }

  #show(): void {
    const widgetId = this.getAttribute('widget-id');
    const server = this.#server;
    if (!widgetId) return;
    if (server === undefined || !URL.canParse(server)) {
      this.#tell('error', { code: 'NO_SERVER', message: 'Set the attribute "server" to the platform.' });
      return;
    }
    const shown: Shown = { platform: platformAt(server, widgetId), stop: new AbortController() };
    this.#shown = shown;
    void this.#configure(shown);
  }

  #hide(): void {
    const shown = this.#shown;
    if (shown === undefined) return;
    shown.conversation?.end('page');
    shown.stop.abort();
    shown.view?.remove();
    this.#shown = undefined;
    this.#isOpen = false;
  }

  async #configure(shown: Shown, tries = 0): Promise<void> {
    const { signal } = shown.stop;
    try {
      const config = await shown.platform.config(signal);
      if (signal.aborted) return;
      shown.config = config;
      shown.conversation = new Conversation(this.#host(shown, config));
      await this.#dress(shown);
    } catch (error) {
      if (signal.aborted) return;
      const { code, message } = error instanceof Refusal ? error : new Refusal('UNKNOWN', String(error));
      const seconds = retrySeconds[tries];
      const isPassing = ['NETWORK', 'SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'RATE_LIMITED'].includes(code);
      if (isPassing && seconds !== undefined) {
        const timer = setTimeout(() => void this.#configure(shown, tries + 1), seconds * 1_000);
        signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
      } else this.#tell('error', { code, message });
    }
  }

  /** Draws the view anew, in the language and the looks that hold now. */
  async #dress(shown: Shown): Promise<void> {
    const { config } = shown;
    if (config === undefined) return;
    const page = this.closest('[lang]')?.getAttribute('lang');
    const language = languageOf([this.getAttribute('language'), config.language, page]);
    const own =
      language === 'en'
        ? english
        : await VoiceAgentWidget.loading.texts(language, this.#server ?? '').catch(() => english);
    if (shown !== this.#shown) return;
    shown.words = wordsOf(own, config.theme.texts);
    this.#root ??= this.attachShadow({ mode: 'open' });
    const mode = oneOf(this.getAttribute('theme'), ['light', 'dark', 'auto'] as const) ?? config.theme.mode;
    dress(this.#root, themeSheet({ ...config.theme, mode }));
    shown.view?.remove();
    const model = this.#model(shown, own === english ? 'en' : language);
    if (model === undefined) return;
    shown.view = createView(this.#root, model, this.#actions());
    shown.view.render(model);
  }

  #modes(): readonly Mode[] {
    const only = oneOf(this.getAttribute('mode'), modes);
    const offered = this.#shown?.config?.modes ?? [];
    return only === undefined ? offered : offered.filter((mode) => mode === only);
  }

  #language: 'en' | ReturnType<typeof languageOf> = 'en';

  #model({ config, conversation, words }: Shown, language = this.#language): Model | undefined {
    if (config === undefined || conversation === undefined || words === undefined) return undefined;
    this.#language = language;
    const { phase, lines, isMuted, isSilenced, isNearlyOver, volume } = conversation;
    const variants = ['compact', 'full', 'inline'] as const;
    const positions = ['bottom-right', 'bottom-left', 'top-right', 'top-left'] as const;
    return {
      ...{ config, words, language, direction: directionOf(language), modes: this.#modes() },
      variant: oneOf(this.getAttribute('variant'), variants) ?? config.theme.variant,
      position: oneOf(this.getAttribute('position'), positions) ?? config.theme.position,
      ...{ phase, lines, isMuted, isSilenced, isNearlyOver, volume, isOpen: this.#isOpen },
    };
  }

  /** Renders once for all changes of one turn. */
  #changed(): void {
    if (this.#isStale) return;
    this.#isStale = true;
    queueMicrotask(() => {
      this.#isStale = false;
      const shown = this.#shown;
      const model = shown && this.#model(shown);
      if (model !== undefined) shown?.view?.render(model);
    });
  }

  #actions(): Actions {
    const talk = (): Conversation | undefined => this.#shown?.conversation;
    return {
      open: () => {
        this.open = true;
      },
      close: () => {
        this.open = false;
      },
      choose: (mode) => this.start(mode),
      agree: () => talk()?.agree(),
      end: () => talk()?.end(),
      say: (text) => void talk()?.say(text),
      repeat: (id) => void talk()?.repeat(id),
      mute: (isMuted) => void talk()?.mute(isMuted),
      setVolume: (volume) => talk()?.setVolume(volume),
      devices: () => talk()?.devices(),
      chooseDevice: (kind, id) => void talk()?.chooseDevice(kind, id),
      playSound: () => void talk()?.playSound(),
    };
  }

  #host(shown: Shown, config: WidgetConfig): Host {
    return {
      ...{ platform: shown.platform, config },
      wish: (mode) => this.#wish(mode, config),
      loadVoice: () => VoiceAgentWidget.loading.voice(this.#server ?? ''),
      changed: () => this.#changed(),
      started: ({ sessionId, mode }) => this.#tell('call-start', { sessionId, mode }),
      said: (line) => this.#tell('transcript', line),
      ended: ({ sessionId }, reason, seconds) => this.#tell('ended', { sessionId, reason, seconds }),
      failed: ({ code, message, problem }) => {
        this.#tell('error', { code, message });
        if (problem === 'consent-changed') void this.#readAgain(shown);
      },
    };
  }

  /** The consent has another version by now. */
  async #readAgain(shown: Shown): Promise<void> {
    const config = await shown.platform.config(shown.stop.signal).catch(() => undefined);
    if (config === undefined || shown !== this.#shown) return;
    const conversation = new Conversation(this.#host(shown, config));
    Object.assign(shown, { config, conversation });
    await this.#dress(shown);
  }

  #wish(mode: Mode, { consent }: WidgetConfig): SessionWish {
    const visitorToken = this.getAttribute('visitor-token');
    const visitorId = this.getAttribute('visitor-id');
    const { origin, pathname, protocol } = location;
    const variables = this.#variables ?? this.#ownVariables();
    return {
      mode,
      ...(Object.keys(variables).length > 0 ? { dynamicVariables: variables } : {}),
      ...(consent.required ? { consent: { accepted: true, version: consent.version } } : {}),
      // Query and fragment may hold secrets of the page.
      ...(protocol.startsWith('http') ? { pageUrl: `${origin}${pathname}`.slice(0, 2_048) } : {}),
      ...(visitorId ? { visitorId } : {}),
      ...(visitorToken ? { visitorToken } : {}),
    };
  }

  #ownVariables(): Readonly<Record<string, string>> {
    const json = this.getAttribute('dynamic-variables');
    if (!json) return {};
    try {
      return variablesIn(json);
    } catch (error) {
      const message = `dynamic-variables are not used: ${error instanceof Error ? error.message : ''}`;
      this.#tell('error', { code: 'VARIABLES_NOT_VALID', message });
      return {};
    }
  }

  #tell<T extends keyof VoiceAgentEvents>(name: T, detail: VoiceAgentEvents[T]['detail']): void {
    const travels = name !== 'error';
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: travels, composed: travels }));
  }
}

const tag = 'voice-agent-widget';

/** Defines the element, unless this page has it already. */
export const define = (loading: Loading): void => {
  if (globalThis.customElements === undefined || customElements.get(tag) !== undefined) return;
  VoiceAgentWidget.loading = loading;
  customElements.define(tag, VoiceAgentWidget);
};
