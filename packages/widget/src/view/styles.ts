// The style sheet of the launcher, and the ground for that of the panel. Style sheets are adopted, so a page's
// Content-Security-Policy needs no style-src for them.

export const css = `
:host { all: initial; display: block; --_font: var(--voice-agent-font, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif); }
:host([hidden]) { display: none; }
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
.frame { font: 400 15px/1.5 var(--_font); color: var(--_text); text-align: start; -webkit-text-size-adjust: 100%; }
.frame:not(.inline) { position: fixed; z-index: var(--voice-agent-z-index, 2147483000); inset: auto; display: flex; flex-direction: column; gap: 12px;
  margin: var(--voice-agent-margin, 20px); max-width: calc(100vw - 40px); pointer-events: none; }
.frame > * { pointer-events: auto; }
.bottom-right { bottom: 0 !important; right: 0 !important; align-items: flex-end; }
.bottom-left { bottom: 0 !important; left: 0 !important; align-items: flex-start; }
.top-right { top: 0 !important; right: 0 !important; align-items: flex-end; flex-direction: column-reverse !important; }
.top-left { top: 0 !important; left: 0 !important; align-items: flex-start; flex-direction: column-reverse !important; }
[dir=rtl].bottom-right, [dir=rtl].top-right { align-items: flex-start; }
[dir=rtl].bottom-left, [dir=rtl].top-left { align-items: flex-end; }
button, input, select { font: inherit; color: inherit; margin: 0; }
button { border: 0; background: none; padding: 0; cursor: pointer; -webkit-tap-highlight-color: transparent; }
:focus { outline: none; }
:focus-visible { outline: 3px solid var(--_link); outline-offset: 2px; }
.icon { width: 20px; height: 20px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.launcher { display: inline-flex; align-items: center; gap: 10px; min-height: 54px; max-width: 100%; padding: 0 22px 0 18px; border-radius: 27px;
  background: var(--_accent); color: var(--_on-accent); font-weight: 600; box-shadow: 0 1px 2px #0003, 0 8px 24px #00000038; transition: transform .16s, box-shadow .16s; }
[dir=rtl] .launcher { padding: 0 18px 0 22px; }
.launcher .text { overflow-wrap: anywhere; text-align: start; }
.launcher:hover { transform: translateY(-2px); box-shadow: 0 2px 4px #0003, 0 12px 32px #00000047; }
.launcher:focus-visible { outline-color: var(--_text); }
[data-phase=talking] .launcher .icon, [data-phase=typing] .launcher .icon { animation: breathe 1.6s ease-in-out infinite; }
@keyframes breathe { 50% { opacity: .45; } }
@media (prefers-reduced-motion: reduce) { *, ::before, ::after { animation: none !important; transition: none !important; } }
.launcher[aria-busy=true] .icon { animation: breathe .8s ease-in-out infinite; }
@media (max-width: 480px) {
  .frame:not(.inline) { margin: 12px; max-width: calc(100vw - 24px); }
  .frame:not(.inline)[data-open] { margin: 0; inset: 0 !important; max-width: none; }
  .frame:not(.inline)[data-open] .launcher { display: none; }
}
@media (forced-colors: active) {
  .launcher { border: 1px solid CanvasText; forced-color-adjust: none; background: Highlight; color: HighlightText; }
  :focus-visible { outline-color: Highlight; }
}
`;
