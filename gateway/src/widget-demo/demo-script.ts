// The script of /widget-demo: says what the installation can do, and lists the events of the element.

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

const show = (name, detail) => {
  const item = document.createElement('li');
  const label = document.createElement('strong');
  const facts = document.createElement('code');
  label.textContent = name;
  facts.textContent = JSON.stringify(detail ?? null);
  item.append(label, ' ', facts);
  list.prepend(item);
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
