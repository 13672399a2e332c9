/** What one body takes of the room that all share. */
export interface BodyPlace {
  /** False where the body has grown to more bytes than there is room for. */
  grow(bytes: number): boolean;
  /** Gives its room back. */
  leave(): void;
}

/** Memory for bodies of which nobody knows yet who sent them. */
export interface BodyRoom {
  enter(): BodyPlace;
}

/** An issue, a comment and all that comes with them are smaller. */
const LARGE_BYTES = 2 ** 20;
const ROOM_BYTES = 256 * 2 ** 20;

/**
 * All bodies together hold no more than `room` bytes, and large ones no more than half of that: whoever sends many huge
 * ones at once neither takes all memory, nor keeps out what GitHub sends of issues.
 */
export function createBodyRoom(room = ROOM_BYTES): BodyRoom {
  const held = { all: 0 };
  return {
    enter() {
      let mine = 0;
      return {
        grow(bytes) {
          const all = held.all + bytes - mine;
          if (all > (bytes > LARGE_BYTES ? room / 2 : room)) return false;
          held.all = all;
          mine = bytes;
          return true;
        },
        leave() {
          held.all -= mine;
          mine = 0;
        },
      };
    },
  };
}
