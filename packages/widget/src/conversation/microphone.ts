// Asks for the microphone. It is part of the loader, so that the browser's question comes with the click, while the rest loads.
import { problemOfMicrophone, Trouble } from './problems.js';

/** @throws Trouble microphone-* */
export const openMicrophone = async (): Promise<MediaStreamTrack> => {
  // Browsers hide microphones from pages without TLS, and from frames without permission.
  const devices: MediaDevices | undefined = navigator.mediaDevices;
  if (devices?.getUserMedia === undefined)
    throw new Trouble('microphone-unsupported', 'This page may not use microphones: it needs HTTPS.');
  try {
    const stream = await devices.getUserMedia({
      audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    });
    const [track] = stream.getAudioTracks();
    if (track === undefined) throw new Trouble('microphone-missing', 'The microphone has no sound.');
    return track;
  } catch (error) {
    if (error instanceof Trouble) throw error;
    const name = error instanceof Error ? error.name : '';
    throw new Trouble(problemOfMicrophone(name), `The microphone cannot be used: ${name}`, error);
  }
};
