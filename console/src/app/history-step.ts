// A step of a screen as an entry of the browser's history. The back button goes one step back, and the forward button comes to it again.
import { useLocation, useRouter } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The step that the screen is at; none at its beginning. */
    readonly step?: string;
  }
}

export interface Step {
  readonly isThere: boolean;
  readonly enter: () => void;
  readonly leave: () => void;
}

export const useHistoryStep = (name: string): Step => {
  const { history } = useRouter();
  const isThere = useLocation({ select: ({ state }) => state.step === name });
  return {
    isThere,
    enter: () => history.push(history.location.href, { step: name }),
    leave: () => history.back(),
  };
};
