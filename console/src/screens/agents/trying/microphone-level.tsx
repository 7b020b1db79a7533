// The level of the microphone while somebody talks.
import { useEffect, useRef } from 'react';
import { agentPageStrings } from '../../../strings/agent.js';
import { levelOf } from './level.js';

const samplesAtOnce = 1_024;

/** A muted microphone gives silence. */
export const MicrophoneLevel = ({ track }: { readonly track: MediaStreamTrack }) => {
  const meter = useRef<HTMLMeterElement>(null);
  useEffect(() => {
    const audio = new AudioContext();
    const analyser = audio.createAnalyser();
    analyser.fftSize = samplesAtOnce;
    audio.createMediaStreamSource(new MediaStream([track])).connect(analyser);
    const samples = new Float32Array(samplesAtOnce);
    let frame = 0;
    const draw = (): void => {
      analyser.getFloatTimeDomainData(samples);
      if (meter.current !== null) meter.current.value = levelOf(samples);
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => {
      cancelAnimationFrame(frame);
      void audio.close();
    };
  }, [track]);
  return (
    <label className="flex items-center gap-2 text-xs text-ink-soft">
      {agentPageStrings.try.level}
      <meter ref={meter} min={0} max={1} value={0} className="h-2 w-28" />
    </label>
  );
};
