// Builds elements. Text becomes text and never markup; there is no way to set a style or a script through it.

type Child = Node | string | undefined;

export interface Facts {
  readonly [attribute: string]: string | boolean | ((event: Event) => void) | undefined;
}

/** Functions become listeners of the event of their name; true becomes an attribute without a value. */
export const h = <T extends keyof HTMLElementTagNameMap>(
  tag: T,
  facts: Facts = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[T] => {
  const element = document.createElement(tag);
  for (const [name, fact] of Object.entries(facts)) {
    if (typeof fact === 'function') element.addEventListener(name, fact);
    else setFact(element, name, fact);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
};

export const setFact = (element: Element, name: string, fact: string | boolean | undefined): void => {
  if (fact === undefined || fact === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== (fact === true ? '' : fact))
    element.setAttribute(name, fact === true ? '' : fact);
};

/** Changes the text only if it differs, so that screen readers are not told again. */
export const setText = (element: Element, text: string): void => {
  if (element.textContent !== text) element.textContent = text;
};
