import { describe, expect, it } from '@jest/globals';
import { pathGroup } from './path-group.js';

describe('pathGroup', () => {
  it.each([
    ['/api/v1/calls/018f0000-0000-7000-8000-0000000000ee/progress?x=1', '/api/v1/calls/progress'],
    ['/twirp/livekit.RoomService/CreateRoom', '/twirp/livekit.RoomService/CreateRoom'],
    ['/', '/'],
  ])('groups %s as %s', (url, group) => {
    expect(pathGroup(url)).toBe(group);
  });
});
