// Copying: by the clipboard of the browser, and on plain HTTP beyond localhost, where there is none, by the older command.

/** The browser has copied nothing. */
export class NotCopied extends Error {}

/** Selects no field, because a dialog takes the focus back at once. */
const copyByCommand = (text: string): boolean => {
  const put = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData('text/plain', text);
  };
  const shown = document.createElement('span');
  shown.textContent = text;
  shown.ariaHidden = 'true';
  shown.style.cssText = 'position:fixed;top:0;clip-path:inset(50%);white-space:pre;user-select:text';
  document.body.append(shown);
  const selection = document.getSelection();
  const kept = selection?.rangeCount ? selection.getRangeAt(0) : undefined;
  selection?.selectAllChildren(shown);
  document.addEventListener('copy', put, { capture: true });
  try {
    return document.execCommand('copy');
  } finally {
    document.removeEventListener('copy', put, { capture: true });
    shown.remove();
    selection?.removeAllRanges();
    if (kept !== undefined) selection?.addRange(kept);
  }
};

/** @throws NotCopied where the browser lets no page copy; the person copies by hand then */
export const copyText = async (text: string): Promise<void> => {
  // Only pages that came over HTTPS, or from this computer, have a clipboard.
  const { clipboard } = navigator as { readonly clipboard?: Clipboard };
  if (clipboard !== undefined) return clipboard.writeText(text);
  if (!copyByCommand(text)) throw new NotCopied();
};
