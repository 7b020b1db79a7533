// The style sheet of /widget-demo, as a file of its own: the policy of the page allows no inline style.

export const demoStyle = `
body { font: 16px/1.6 system-ui, sans-serif; margin: 0; color: #1c1e21; background: #fff; }
main { max-width: 42rem; margin: 0 auto; padding: 3rem 1.5rem 8rem; }
/* Beside the panel of the widget, which is at the right edge. */
@media (min-width: 60rem) { main { margin: 0 0 0 min(6vw, 4rem); max-width: 36rem; } }
h1 { margin-top: 0; }
pre { background: #f0f1f3; padding: 1rem; border-radius: 8px; overflow-x: auto; }
code { font-size: .9rem; }
#modes { border-left: 4px solid #0b57d0; padding: .25rem 0 .25rem 1rem; }
#events { padding-left: 2rem; }
#events code { overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) {
  body { background: #16181c; color: #e8eaed; }
  pre { background: #24272c; }
  #modes { border-color: #8ab4f8; }
}
`;
