// The element itself in a frame of its own, which is told the values of the form instead of the saved ones. It asks the platform
// for the files of the element and for nothing else, so no conversation begins.
import { useEffect, useRef } from 'react';
import { widgetStrings as strings } from '../../strings/widgets.js';
import type { PublicConfig } from './widget-values.js';

const settleMs = 300;

const refusal = (): Response =>
  Response.json({ success: false, error: { code: 'SERVICE_UNAVAILABLE', message: '' } }, { status: 503 });

/** Puts the script of the element into the frame, once, with answers of our own to its questions about widgets. */
const prepare = (frame: Window, config: () => PublicConfig): void => {
  const original = frame.fetch.bind(frame);
  frame.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input), location.origin);
    if (!pathname.startsWith('/api/')) return original(input, init);
    return pathname.endsWith('/config')
      ? Response.json({ success: true, message: '', data: config() })
      : refusal();
  };
  const { document } = frame;
  document.documentElement.lang = 'en';
  document.body.style.margin = '0';
  document.body.style.background = '#eef0f4';
  const script = document.createElement('script');
  script.src = `${location.origin}/widget.js`;
  document.head.append(script);
};

export const WidgetPreview = ({ config }: { readonly config: PublicConfig }) => {
  const frame = useRef<HTMLIFrameElement>(null);
  const latest = useRef(config);
  latest.current = config;
  useEffect(() => {
    const inner = frame.current?.contentWindow;
    if (inner) prepare(inner, () => latest.current);
  }, []);
  const wanted = JSON.stringify(config);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element is made anew when what it is told changes
  useEffect(() => {
    const timer = setTimeout(() => {
      const document = frame.current?.contentDocument;
      if (!document) return;
      const element = document.createElement('voice-agent-widget');
      element.setAttribute('widget-id', latest.current.id);
      element.setAttribute('server', location.origin);
      document.body.replaceChildren(element);
    }, settleMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  return (
    <iframe
      ref={frame}
      title={strings.previewFrame}
      className="h-96 w-full rounded-md border border-line bg-sunken"
    />
  );
};
