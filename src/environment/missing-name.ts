/** Errors of a test that calls what this commit does not have, in the words of languages that find out when they run. */
export const ABSENT = new RegExp(
  [
    // Python, JavaScript
    String.raw`^(?:(?:E|#)\s+)?(?:Uncaught )?(?:AttributeError: (?:module|type object) .{0,200} has no attribute\b|TypeError: .{0,200} (?:is not a (?:function|constructor)|got an unexpected keyword argument)\b).*$`,
    // Ruby; what nil does not have is a fault of a value
    String.raw`^(?:NoMethodError: )?undefined method (?!.{0,200} for nil\b).*$|^(?:ArgumentError: )?unknown keywords?: .*$`,
    // PHP
    String.raw`^(?:\d+\) )?Error: (?:Call to undefined (?:method|function)|Undefined constant|Unknown named parameter|Class ".{0,200}" not found).*$`,
    // Perl, Elixir, Dart
    String.raw`^(?:#\s+)?(?:Can't locate object method ".{0,200}" via package|Undefined subroutine &).*$`,
    String.raw`^\*\* \(UndefinedFunctionError\) .*$|^NoSuchMethodError: Class .{0,200} has no .*$`,
  ].join('|'),
);

/** The same words stand for a fault of a value and for a name that is not there yet: the change tells which. */
const PERHAPS_ABSENT = [
  /AttributeError: '(?!NoneType')[^']{1,200}' object has no attribute '([\w]{1,200})'/,
  /TypeError: (?:[\w.<>]{1,200}\.)?(\w{1,200})\(\) takes .{1,60} positional arguments? but \d+ (?:was|were) given/,
  /NoMethodError: undefined method [`']([\w?!=]{1,200})'/,
];

/** The name that this line of an error misses, where it may be one that only a change brings. */
export function missingName(line: string): string | undefined {
  for (const pattern of PERHAPS_ABSENT) {
    const name = pattern.exec(line)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}
