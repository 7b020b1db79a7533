// The sound settings of a voice conversation: volume, microphone and, where the browser can choose one, speaker.
import type { Device } from '../conversation/channel.js';
import { h, setFact } from '../view/dom.js';
import type { Actions, Model, Part } from '../view/model.js';

const select = (label: string, choose: (id: string) => void) => {
  const list = h('select', { part: 'input', change: () => choose(list.value) });
  const element = h('label', { class: 'field', hidden: true }, h('span', {}, label), list);
  return {
    element,
    show: (devices: readonly Device[], current: string | undefined): void => {
      const options = devices.map(({ id, label: name }) => h('option', { value: id }, name || id));
      list.replaceChildren(...options);
      if (current !== undefined) list.value = current;
      setFact(element, 'hidden', devices.length === 0);
    },
  };
};

export interface SoundPart extends Part {
  /** Reads anew which devices there are. */
  refresh(): void;
}

export const sound = ({ words }: Model, { setVolume, devices, chooseDevice }: Actions): SoundPart => {
  const volume = h('input', {
    ...{ type: 'range', min: '0', max: '1', step: '0.05', part: 'input' },
    input: () => setVolume(Number(volume.value)),
  });
  const inputs = select(words.microphone, (id) => chooseDevice('input', id));
  const outputs = select(words.speaker, (id) => chooseDevice('output', id));
  const element = h(
    'div',
    { class: 'sound', id: 'sound', hidden: true, role: 'group', 'aria-label': words.settings },
    h('label', { class: 'field' }, h('span', {}, words.volume), volume),
    inputs.element,
    outputs.element,
  );
  return {
    element,
    refresh: () => {
      devices()
        ?.then((found) => {
          inputs.show(found.inputs, found.input);
          outputs.show(found.outputs, found.output);
        })
        .catch(() => undefined);
    },
    update: ({ volume: current }) => {
      if (Number(volume.value) !== current) volume.value = String(current);
    },
  };
};
