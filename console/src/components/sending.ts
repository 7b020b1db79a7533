// A button or an item of a menu that sends at once. Its failure has no place of its own, so a message tells it.
import type { Wish } from '../data/commands.js';
import { toast } from './toasts.js';

/** @param done after the answer, such as a message */
export const sending = <Result>(
  wish: Wish<Result>,
  done: (answer: Result) => unknown,
): { readonly wish: Wish; readonly onSelect: () => void } => ({
  wish,
  onSelect: () => {
    const send = async (): Promise<void> => {
      try {
        await done(await wish.send());
      } catch (error) {
        toast.failure(error);
      }
    };
    void send();
  },
});
