import { havingProgram } from '../debian-packages.ts';
import { quoted } from '../test-plan.ts';

export interface Build {
  language: string;
  /** The first of these that is there tells the language; `*.` matches by extension. */
  files: string[];
  test: string;
  setup?: string;
  single?: (file: string) => string;
  runners: string[];
}

const GO = havingProgram('go', 'golang-go');
const CMAKE = havingProgram('cmake', 'cmake g++');
const AUTOTOOLS = havingProgram('autoreconf', 'autoconf automake libtool pkg-config make g++ bison flex');
const folderOf = (file: string): string => (file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '.');

/**
 * Languages whose build tool has one command for testing; the set-up fetches what has to be there without a network.
 * Java, Kotlin, Rust and .NET were never run: only their plans are tested.
 */
export const BUILDS: Build[] = [
  {
    language: 'go',
    files: ['go.mod'],
    test: 'go test ./...',
    setup: `${GO} && { ! grep -q '^\\s*require' go.mod || [ -d vendor ] || go mod download; }`,
    single: (file) => `go test ${quoted(`./${folderOf(file)}`)}`,
    runners: ['go test'],
  },
  {
    language: 'rust',
    files: ['Cargo.toml'],
    test: 'cargo test --offline',
    setup: 'cargo fetch',
    runners: ['cargo test'],
  },
  {
    language: 'java',
    files: ['mvnw'],
    test: './mvnw -o -B test',
    setup: './mvnw -B dependency:go-offline',
    runners: ['mvnw'],
  },
  {
    language: 'java',
    files: ['pom.xml'],
    test: 'mvn -o -B test',
    setup: 'mvn -B dependency:go-offline',
    runners: ['mvn '],
  },
  {
    language: 'java',
    files: ['gradlew'],
    test: './gradlew --offline test',
    setup: './gradlew testClasses',
    runners: ['gradlew'],
  },
  {
    language: 'java',
    files: ['build.gradle', 'build.gradle.kts'],
    test: 'gradle --offline test',
    setup: 'gradle testClasses',
    runners: ['gradle '],
  },
  {
    language: '.net',
    files: ['*.sln', '*.slnx', '*.csproj', '*.fsproj'],
    test: 'dotnet test --no-restore',
    setup: 'dotnet restore',
    runners: ['dotnet test'],
  },
  {
    language: 'c',
    files: ['CMakeLists.txt'],
    // A build in the checkout would be part of the change.
    test: 'cmake -S . -B /tmp/build >/dev/null && cmake --build /tmp/build && ctest --test-dir /tmp/build --output-on-failure',
    setup: CMAKE,
    runners: ['ctest'],
  },
  {
    language: 'c',
    files: ['configure.ac', 'configure.in'],
    test:
      'rm -rf /tmp/build && cp -a . /tmp/build && cd /tmp/build && { [ -x configure ] || autoreconf -i >/dev/null 2>&1; } && ' +
      './configure >/dev/null && make >/dev/null && make check VERBOSE=yes',
    setup: AUTOTOOLS,
    runners: ['make check'],
  },
  {
    language: 'perl',
    files: ['Makefile.PL', 'cpanfile', 'dist.ini'],
    test: 'prove -lr t',
    setup: havingProgram('prove', 'perl'),
    single: (file) => `prove -l ${quoted(file)}`,
    runners: ['prove ', 'dzil test'],
  },
];
