// The style sheet of the panel, adopted as the panel appears.

export const css = `
h2, h3, p, ol { margin: 0; padding: 0; font: inherit; }
.panel:focus-visible { outline-offset: -3px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.muted { color: var(--_muted); }
.panel { display: flex; flex-direction: column; width: 360px; max-width: 100%; max-height: min(560px, calc(100vh - 120px)); overflow: hidden;
  max-height: min(560px, calc(100dvh - 120px)); border-radius: var(--_radius); background: var(--_surface); border: 1px solid var(--_line); box-shadow: 0 2px 6px #0000001f, 0 18px 50px #0000003d; animation: rise .2s ease-out; }
.full .panel { width: 420px; height: 680px; max-height: min(680px, calc(100vh - 120px)); max-height: min(680px, calc(100dvh - 120px)); }
.inline .panel { width: 100%; min-height: 380px; max-height: 640px; box-shadow: none; animation: none; }
header { display: flex; align-items: center; gap: 12px; padding: 14px 14px 14px 18px; border-block-end: 1px solid var(--_line); }
[dir=rtl] header { padding: 14px 18px 14px 14px; }
.titles { flex: 1; min-width: 0; }
h2 { font-size: 16px; font-weight: 650; line-height: 1.3; overflow-wrap: anywhere; }
.status { min-height: 18px; font-size: 13px; line-height: 18px; color: var(--_muted); }
.status:empty { display: none; }
.body { flex: 1; min-height: 0; display: flex; flex-direction: column; overflow: auto; }
.page { flex: 1; display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 8px; padding: 26px 24px 24px; text-align: center; }
.name { font-size: 18px; font-weight: 650; line-height: 1.3; overflow-wrap: anywhere; margin-block-start: 10px; }
.page .muted { max-width: 34ch; }
.page .muted:empty { display: none; }
.choices { display: flex; flex-direction: column; gap: 10px; width: 100%; max-width: 300px; margin-block-start: 14px; }
.consent { align-items: stretch; justify-content: flex-start; text-align: start; }
.consent h3 { font-size: 17px; font-weight: 650; }
.consent .choices { max-width: none; }
.terms { max-height: 220px; overflow: auto; white-space: pre-line; overflow-wrap: anywhere; padding: 12px 14px; border-radius: calc(var(--_radius) * .6); background: var(--_raised); }
.problem { font-size: 16px; max-width: 36ch; }
a { color: var(--_link); text-underline-offset: 3px; }
.button { display: inline-flex; align-items: center; justify-content: center; gap: 9px; min-height: 46px; padding: 8px 20px; border-radius: min(var(--_radius), 23px); font-weight: 600; border: 1.5px solid transparent; transition: filter .16s, background-color .16s; }
.button span { overflow-wrap: anywhere; }
.primary { background: var(--_accent); color: var(--_on-accent); }
.secondary { border-color: var(--_edge); }
.stop { background: var(--_stop); color: var(--_on-stop); }
.quiet { color: var(--_muted); min-height: 40px; }
.primary:hover, .stop:hover, .round.accent:hover { filter: brightness(1.1); }
.secondary:hover, .quiet:hover, .round:hover { background: var(--_raised); }
.round { display: inline-grid; place-items: center; width: 44px; height: 44px; border-radius: 50%; flex: none; transition: filter .16s, background-color .16s; }
header .round { width: 36px; height: 36px; color: var(--_muted); }
.round.accent { background: var(--_accent); color: var(--_on-accent); }
[dir=rtl] .icon-send { transform: scaleX(-1); }
.orb { position: relative; display: inline-grid; place-items: center; flex: none; }
.avatar { position: relative; display: grid; place-items: center; border-radius: 50%; overflow: hidden; color: var(--_on-accent); background: var(--_accent); font-weight: 650; }
.avatar img { width: 100%; height: 100%; object-fit: cover; display: block; }
.avatar.small { width: 40px; height: 40px; font-size: 17px; }
.avatar.large { width: 88px; height: 88px; font-size: 36px; }
.ring { position: absolute; inset: -7px; border-radius: 50%; background: var(--_accent); opacity: .16; }
.small .ring { inset: -4px; opacity: 0; }
.busy .ring { animation: pulse 1.5s ease-in-out infinite; }
[data-agent=listening] .small .ring { opacity: .2; }
[data-agent=speaking] .small .ring { animation: pulse .9s ease-in-out infinite; }
[data-agent=thinking] .small .ring { animation: pulse 1.8s ease-in-out infinite; }
.talk { flex: 1; min-height: 0; display: flex; flex-direction: column; }
.transcript { flex: 1; min-height: 120px; overflow: auto; padding: 16px 16px 8px; overscroll-behavior: contain; }
.compact .transcript { min-height: 190px; }
.transcript:focus-visible { outline-offset: -3px; }
.lines { list-style: none; display: flex; flex-direction: column; gap: 8px; }
.line { display: flex; flex-direction: column; align-items: flex-start; max-width: 88%; }
.line.visitor { align-self: flex-end; align-items: flex-end; }
.bubble { padding: 8px 13px; border-radius: min(var(--_radius), 18px); background: var(--_raised); overflow-wrap: anywhere; }
.said { white-space: pre-line; }
.agent .bubble { border-end-start-radius: 4px; }
.visitor .bubble { background: var(--_accent); color: var(--_on-accent); border-end-end-radius: 4px; }
.growing .bubble { font-style: italic; }
.fault { font-size: 13px; color: var(--_muted); }
.again { min-height: 24px; text-decoration: underline; color: var(--_link); }
.notice { margin: 0 16px 8px; padding: 7px 12px; border-radius: 10px; background: var(--_raised); font-size: 14px; }
.notice[data-empty] { margin: 0; padding: 0; }
.talk > .button { margin: 0 16px 10px; }
.sound { display: grid; gap: 10px; margin: 0 16px 10px; padding: 12px 14px; border-radius: 12px; background: var(--_raised); }
.field { display: grid; grid-template-columns: 7em 1fr; align-items: center; gap: 10px; font-size: 14px; }
.field input { accent-color: var(--_accent); min-width: 0; height: 28px; }
select { min-width: 0; width: 100%; min-height: 36px; padding: 4px 8px; border-radius: 8px; border: 1px solid var(--_edge); background: var(--_surface); color: var(--_text); }
.composer { display: flex; gap: 8px; padding: 4px 16px 10px; }
.message { flex: 1; min-width: 0; height: 44px; padding: 0 14px; border-radius: min(var(--_radius), 22px); border: 1px solid var(--_edge); background: var(--_surface); font-size: 16px; }
.message::placeholder { color: var(--_muted); opacity: 1; }
.bar { display: flex; align-items: center; gap: 10px; padding: 0 16px 14px; }
.bar .round { border: 1px solid var(--_edge); }
.bar .round.on { background: var(--_text); color: var(--_surface); }
.bar .button { margin-inline-start: auto; min-height: 44px; }
.over { display: flex; flex-direction: column; align-items: center; padding: 12px 20px 18px; text-align: center; border-block-start: 1px solid var(--_line); }
.over[hidden] { display: none; }
@keyframes rise { from { opacity: 0; transform: translateY(10px); } }
@keyframes pulse { 50% { transform: scale(1.14); opacity: .32; } }
@media (max-width: 480px) {
  .frame:not(.inline) .panel { width: 100%; height: 100%; max-height: none; border: 0; border-radius: 0; padding-block-end: env(safe-area-inset-bottom); }
  .terms { max-height: 40vh; }
}
@media (max-height: 460px) { .avatar.large { width: 56px; height: 56px; font-size: 24px; } .page { justify-content: flex-start; padding-block: 14px; } }
@media (forced-colors: active) {
  .panel, .button, .round, .bubble, .notice, .message, .sound { border: 1px solid CanvasText; }
  .visitor .bubble, .primary { forced-color-adjust: none; background: Highlight; color: HighlightText; }
}
.button.primary:focus-visible, .round.accent:focus-visible { outline-color: var(--_text); }
`;
