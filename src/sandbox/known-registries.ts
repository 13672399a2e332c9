/**
 * Where languages fetch packages from when nobody says otherwise. Companies have mirrors answer by these names, at
 * addresses of their own; nobody who opens an issue or writes a set-up has a say in what they resolve to.
 */
export const KNOWN_REGISTRIES: ReadonlySet<string> = new Set([
  ...['registry.npmjs.org', 'registry.yarnpkg.com', 'repo.yarnpkg.com', 'nodejs.org'],
  ...['pypi.org', 'pypi.python.org', 'files.pythonhosted.org'],
  ...['deb.debian.org', 'security.debian.org', 'archive.ubuntu.com', 'security.ubuntu.com', 'dl-cdn.alpinelinux.org'],
  ...['proxy.golang.org', 'sum.golang.org', 'storage.googleapis.com'],
  ...['crates.io', 'index.crates.io', 'static.crates.io', 'static.rust-lang.org'],
  ...['rubygems.org', 'index.rubygems.org', 'packagist.org', 'repo.packagist.org'],
  ...['repo.maven.apache.org', 'repo1.maven.org', 'plugins.gradle.org', 'services.gradle.org', 'downloads.gradle.org'],
  ...['api.nuget.org', 'hex.pm', 'repo.hex.pm', 'pub.dev', 'cpan.metacpan.org'],
  ...['github.com', 'codeload.github.com', 'objects.githubusercontent.com', 'raw.githubusercontent.com'],
]);
