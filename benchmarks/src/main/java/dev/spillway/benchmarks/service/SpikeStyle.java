package dev.spillway.benchmarks.service;

/** How the report looks; a line's class is its contender. */
final class SpikeStyle {
  static final String CSS =
      """
      :root { color-scheme: light dark; --ink: light-dark(#1c2733, #e3e8ee);
        --paper: light-dark(#fff, #14191f); --faint: light-dark(#d8dee5, #313b46);
        --spike: light-dark(#fdf0dc, #3a2f1c); --naive: light-dark(#c2410c, #fb923c);
        --pool: light-dark(#1d4ed8, #7aa2ff); --local: light-dark(#7e22ce, #c792ea);
        --remote: light-dark(#15803d, #5fd38a); --keycloak: light-dark(#0e7490, #67d4e8);
        --keycloak_pbkdf2: light-dark(#a16207, #e8c35a); --offered: light-dark(#6b7280, #9aa4b1); }
      body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
        max-width: 60rem; margin: 0 auto; padding: 1rem; }
      h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
      .conclusion { font-size: 1.2rem; font-weight: 600; border-left: .3rem solid var(--remote);
        padding-left: .7rem; }
      .scroll { overflow-x: auto; }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
      th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--faint); text-align: right; }
      th:first-child, td:first-child { text-align: left; font-weight: 400; }
      figure { margin: 1.5rem 0; } figcaption { font-weight: 600; }
      svg { width: 100%; height: auto; } svg text { font-size: 12px; fill: var(--ink); }
      .grid { stroke: var(--faint); } .spike { fill: var(--spike); }
      .line { fill: none; stroke-width: 2.2; stroke-linejoin: round; }
      .line.naive { stroke: var(--naive); } .line.pool { stroke: var(--pool); }
      .line.local { stroke: var(--local); } .line.remote { stroke: var(--remote); }
      .line.keycloak { stroke: var(--keycloak); }
      .line.keycloak_pbkdf2 { stroke: var(--keycloak_pbkdf2); }
      .line.offered { stroke: var(--offered); stroke-dasharray: 5 4; }
      .line.shed { stroke: var(--naive); stroke-dasharray: 2 3; }
      .legend span { margin-right: 1rem; white-space: nowrap; }
      .legend span::before { content: ""; display: inline-block; width: .8em; height: .8em;
        margin-right: .35em; border-radius: 2px; background: var(--offered); }
      .legend .naive::before, .legend .shed::before { background: var(--naive); }
      .legend .pool::before { background: var(--pool); }
      .legend .local::before { background: var(--local); }
      .legend .remote::before { background: var(--remote); }
      .legend .keycloak::before { background: var(--keycloak); }
      .legend .keycloak_pbkdf2::before { background: var(--keycloak_pbkdf2); }
      @media (max-width: 40rem) { svg text { font-size: 22px; } body { padding: .7rem; }
        th, td { padding: .3rem .4rem; } .narrow-off { display: none; } }
      .fault { color: var(--naive); font-weight: 600; }
      """;

  private SpikeStyle() {}
}
