// The script of /widget-demo: shows the modes of the installation, and lists the events of the element.

export const demoScript = `'use strict';
const element = document.querySelector('voice-agent-widget');
const list = document.getElementById('events');
const modes = document.getElementById('modes');

const sentences = {
  'voice,text': 'You can talk and type.',
  voice: 'You can talk. Typing needs a voice runtime that answers text.',
  text: 'You can type. Voice needs a media server: stop, and start again with npm start -- --browser-voice.',
  '': 'Nobody can answer here at the moment.',
};

// A line grows with each event that tells more of it, and keeps its place in the list.
const lines = new Map();
const newItem = (name) => {
  const item = document.createElement('li');
  const label = document.createElement('strong');
  const facts = document.createElement('code');
  label.textContent = name;
  item.append(label, ' ', facts);
  list.prepend(item);
  return facts;
};
const show = (name, detail) => {
  const line = name === 'transcript' ? detail.id : undefined;
  const facts = lines.get(line) ?? newItem(name);
  if (line !== undefined) lines.set(line, facts);
  if (name === 'ended') lines.clear();
  facts.textContent = JSON.stringify(detail ?? null);
};
for (const name of ['call-start', 'transcript', 'ended', 'error'])
  element.addEventListener(name, ({ detail }) => show(name, detail));

const ask = async () => {
  const answer = await fetch('/api/v1/public/widgets/' + element.getAttribute('widget-id') + '/config');
  if (!answer.ok) return 'This widget does not answer: ' + answer.status + '.';
  const { data } = await answer.json();
  return sentences[['voice', 'text'].filter((mode) => data.modes.includes(mode)).join()];
};
ask().catch(() => 'The platform does not answer.').then((sentence) => { modes.textContent = sentence; });
`;
