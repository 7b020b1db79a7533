// The custom element: it reads attributes, asks the platform for its configuration, and joins conversation and view.
import type { Conversation, Host } from '../conversation/conversation.js';
import type { Phase } from '../conversation/phase.js';
import type { PanelModule } from '../panel/module.js';
import type { Panel } from '../panel/panel.js';
import { english, type Texts } from '../texts/english.js';
import { directionOf, type Language, languageOf, wordsOf } from '../texts/languages.js';
import type { Actions, Look } from '../view/model.js';
import { createShell, type Shell } from '../view/shell.js';
import { css } from '../view/styles.js';
import { themeSheet } from '../view/theme.js';
import { readConfig } from '../wire/config.js';
import { Refusal } from '../wire/refusal.js';
import type { Mode, WidgetConfig } from '../wire/shapes.js';
import { type AttributeName, attributes, oneOf, variablesIn, variants } from './attributes.js';
import { Base } from './base.js';
import type { VoiceAgentEvents } from './events.js';
import type { Loading } from './loading.js';
import { dress } from './sheets.js';
import { wishOf } from './wish.js';

const retrySeconds = [2, 5, 15, 60] as const;
/** Refusals of a configuration that may pass. */
const passing: readonly string[] = ['NETWORK', 'SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'RATE_LIMITED'];
const looks: readonly string[] = [
  'language',
  'variant',
  'mode',
  'theme',
  'position',
] satisfies AttributeName[];

/** All that holds for one widget, until the element is removed or shows another. */
interface Shown {
  readonly server: string;
  readonly widgetId: string;
  readonly stop: AbortController;
  config?: WidgetConfig;
  words?: Texts;
  language?: Language;
  shell?: Shell;
  /** The module of the panel; present from the first opening on. */
  module?: PanelModule;
  conversation?: Conversation;
  panel?: Panel;
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
    if (before === after || !this.isConnected) return;
    if (name === 'widget-id' || name === 'server') {
      this.#hide();
      this.#show();
    } else if (looks.includes(name) && this.#shown !== undefined) void this.#dress(this.#shown);
  }

  /** Begins a conversation, as the visitor's click does: the widget may ask for consent first. */
  start(mode?: Mode): void {
    const shown = this.#shown;
    const offered = this.#modes();
    const wanted = mode ?? offered[0];
    if (shown?.config === undefined || wanted === undefined) return;
    if (!offered.includes(wanted)) {
      this.#tell('error', { code: 'MODE_NOT_OFFERED', message: `This widget does not offer ${wanted}.` });
      return;
    }
    this.open = true;
    void this.#prepare(shown).then((conversation) => conversation?.choose(wanted));
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
    if (isOpen && this.#shown?.config !== undefined) void this.#prepare(this.#shown);
    this.#changed();
  }

  /** The phase of the conversation. */
  get phase(): Phase['name'] {
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

  #show(): void {
    const widgetId = this.getAttribute('widget-id');
    const server = this.getAttribute('server') ?? VoiceAgentWidget.loading.server;
    if (!widgetId) return;
    if (server === undefined || !URL.canParse(server)) {
      this.#tell('error', { code: 'NO_SERVER', message: 'Set the attribute "server" to the platform.' });
      return;
    }
    const shown: Shown = { server, widgetId, stop: new AbortController() };
    this.#shown = shown;
    void this.#configure(shown);
  }

  #hide(): void {
    const shown = this.#shown;
    if (shown === undefined) return;
    shown.conversation?.end('page');
    shown.stop.abort();
    shown.shell?.remove();
    this.#shown = undefined;
    this.#isOpen = false;
  }

  async #configure(shown: Shown, tries = 0): Promise<void> {
    const { server, widgetId, stop } = shown;
    try {
      const config = await readConfig(server, widgetId, stop.signal);
      if (stop.signal.aborted) return;
      shown.config = config;
      await this.#dress(shown);
    } catch (error) {
      if (stop.signal.aborted) return;
      const { code, message } = error instanceof Refusal ? error : new Refusal('UNKNOWN', String(error));
      const seconds = retrySeconds[tries];
      if (!passing.includes(code) || seconds === undefined) {
        this.#tell('error', { code, message });
        return;
      }
      const timer = setTimeout(() => void this.#configure(shown, tries + 1), seconds * 1_000);
      stop.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    }
  }

  /** Draws the view anew, in the language and the looks that hold now. */
  async #dress(shown: Shown): Promise<void> {
    const { config, server } = shown;
    if (config === undefined) return;
    const page = this.closest('[lang]')?.getAttribute('lang');
    const wanted = languageOf([this.getAttribute('language'), config.language, page]);
    const loading = wanted === 'en' ? undefined : VoiceAgentWidget.loading.texts(wanted, server);
    const own = await loading?.catch(() => undefined);
    if (shown !== this.#shown) return;
    shown.language = own === undefined ? 'en' : wanted;
    shown.words = wordsOf(own ?? english, config.theme.texts);
    shown.shell?.remove();
    delete shown.panel;
    const look = this.#look(shown);
    if (look === undefined) return;
    this.#root ??= this.attachShadow({ mode: 'open' });
    this.#putOn(shown);
    shown.shell = createShell(this.#root, look, {
      toggle: () => {
        this.open = !this.#isOpen;
      },
      prepare: () => void this.#prepare(shown),
    });
    if (look.isOpen || shown.module !== undefined) void this.#prepare(shown);
    this.#changed();
  }

  #putOn({ config, module }: Shown): void {
    if (this.#root === undefined || config === undefined) return;
    const mode = oneOf(this.getAttribute('theme'), ['light', 'dark', 'auto'] as const) ?? config.theme.mode;
    dress(this.#root, [css, themeSheet({ ...config.theme, mode }), ...(module ? [module.css] : [])]);
  }

  /** Loads the panel at its first use. Undefined when it could not be loaded. */
  async #prepare(shown: Shown): Promise<Conversation | undefined> {
    try {
      const module = shown.module ?? (await VoiceAgentWidget.loading.panel(shown.server));
      const { config } = shown;
      if (shown !== this.#shown || config === undefined) return undefined;
      shown.module = module;
      shown.conversation ??= new module.Conversation(this.#host(shown, module, config));
      this.#putOn(shown);
      this.#changed();
      return shown.conversation;
    } catch (error) {
      this.#isOpen = false;
      this.#changed();
      this.#tell('error', { code: 'NOT_LOADED', message: error instanceof Error ? error.message : '' });
      return undefined;
    }
  }

  #modes(): readonly Mode[] {
    const only = oneOf(this.getAttribute('mode'), ['voice', 'text'] as const);
    const offered = this.#shown?.config?.modes ?? [];
    return only === undefined ? offered : offered.filter((mode) => mode === only);
  }

  #look({ config, words, language = 'en', module }: Shown): Look | undefined {
    if (config === undefined || words === undefined) return undefined;
    const positions = ['bottom-right', 'bottom-left', 'top-right', 'top-left'] as const;
    const variant = oneOf(this.getAttribute('variant'), variants) ?? config.theme.variant;
    const isOpen = this.#isOpen || variant === 'inline';
    return {
      ...{ words, language, direction: directionOf(language), modes: this.#modes(), variant, isOpen },
      position: oneOf(this.getAttribute('position'), positions) ?? config.theme.position,
      phase: this.phase,
      isLoading: isOpen && module === undefined,
    };
  }

  /** Renders once for all changes of one turn. */
  #changed(): void {
    if (this.#isStale) return;
    this.#isStale = true;
    queueMicrotask(() => {
      this.#isStale = false;
      if (this.#shown !== undefined) this.#render(this.#shown);
    });
  }

  #render(shown: Shown): void {
    const look = this.#look(shown);
    const { config, conversation, module, shell } = shown;
    if (look === undefined || shell === undefined) return;
    shell.render(look);
    if (config === undefined || conversation === undefined || module === undefined) return;
    const { phase, lines, isMuted, isSilenced, isNearlyOver, volume } = conversation;
    const model = { ...look, config, phase, lines, isMuted, isSilenced, isNearlyOver, volume };
    shown.panel ??= module.createPanel(shell, model, this.#actions(conversation));
    shown.panel.render(model);
  }

  #actions(conversation: Conversation): Actions {
    return {
      close: () => {
        this.open = false;
      },
      choose: (mode) => this.start(mode),
      agree: () => conversation.agree(),
      end: () => conversation.end(),
      say: (text) => void conversation.say(text),
      repeat: (id) => void conversation.repeat(id),
      mute: (isMuted) => void conversation.mute(isMuted),
      setVolume: (volume) => conversation.setVolume(volume),
      devices: () => conversation.devices(),
      chooseDevice: (kind, id) => void conversation.chooseDevice(kind, id),
      playSound: () => void conversation.playSound(),
    };
  }

  #host(shown: Shown, { platformAt }: PanelModule, config: WidgetConfig): Host {
    const { server, widgetId } = shown;
    return {
      platform: platformAt(server, widgetId),
      get config() {
        return shown.config ?? config;
      },
      wish: (mode) => wishOf(this, mode, shown.config ?? config, this.#variables ?? this.#ownVariables()),
      loadVoice: () => VoiceAgentWidget.loading.voice(server),
      changed: () => this.#changed(),
      started: ({ sessionId, mode }) => this.#tell('call-start', { sessionId, mode }),
      said: (line) => this.#tell('transcript', line),
      ended: ({ sessionId }, reason, seconds) => this.#tell('ended', { sessionId, reason, seconds }),
      failed: ({ code, message, problem }) => {
        this.#tell('error', { code, message });
        // The consent has another version by now: the next try shows that one.
        if (problem === 'consent-changed') void this.#readAgain(shown);
      },
    };
  }

  async #readAgain(shown: Shown): Promise<void> {
    const { server, widgetId, stop } = shown;
    const config = await readConfig(server, widgetId, stop.signal).catch(() => undefined);
    if (config === undefined || shown !== this.#shown) return;
    shown.config = config;
    await this.#dress(shown);
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
