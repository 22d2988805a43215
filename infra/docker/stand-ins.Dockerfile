# Stand-ins for images that no registry can be asked for, on one Debian that ./try makes. They do for
# compose.yaml what it asks of the official ones, and nothing else; each bears the label that says what it is.
FROM spillway-stand-in AS jre
LABEL dev.spillway.stand-in=true
COPY jre/ /opt/java/openjdk/
ENV JAVA_HOME=/opt/java/openjdk PATH=/opt/java/openjdk/bin:/usr/bin:/bin LANG=C.UTF-8

# Debian's PostgreSQL.
FROM spillway-stand-in AS postgres
LABEL dev.spillway.stand-in=true
COPY postgres.sh /usr/local/bin/
RUN usermod -u 999 postgres && groupmod -g 999 postgres && ln -s /usr/lib/postgresql/*/bin/* /usr/local/bin/ && \
  mkdir -p /var/lib/postgresql/data && chown 999:999 /var/lib/postgresql/data && chmod 700 /var/lib/postgresql/data
ENV PGDATA=/var/lib/postgresql/data
ENTRYPOINT ["postgres.sh"]

# Debian's Prometheus.
FROM spillway-stand-in AS prometheus
LABEL dev.spillway.stand-in=true
RUN ln -s /bin/busybox /usr/local/bin/wget
ENTRYPOINT ["/usr/bin/prometheus"]

# A server of one file: Debian has no Grafana.
FROM spillway-stand-in AS grafana
LABEL dev.spillway.stand-in=true
RUN ln -s /bin/busybox /usr/local/bin/wget && mkdir -p /srv/api && echo '{"database":"ok"}' >/srv/api/health
ENTRYPOINT ["/bin/busybox", "httpd", "-f", "-p", "3000", "-h", "/srv"]

# local-lambda, which is no LocalStack: it has its function from template.yaml, and from the package that
# compose.yaml mounts.
FROM jre AS localstack
COPY local-lambda/ /local-lambda/
COPY template.yaml localstack.sh /
ENTRYPOINT ["/localstack.sh"]
