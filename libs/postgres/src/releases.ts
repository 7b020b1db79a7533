// The releases in their order. Schemas remember the place of a release in this list, because an older release cannot know
// the numbers of newer ones.

/** The last one is the release that this code is. */
export const releases: readonly string[] = ['0.1.0', '0.2.0'];
