# A fresh Debian 12 in which the README's two commands run.
#
#   docker build -t plumbline --target demo .     ./dev demo: builds it, and tries it on an example
#   docker build --target test .                  ./dev test: builds everything, and runs all tests; an hour or more
#   docker run --rm -it --shm-size=1g plumbline   a shell in which `plumbline` and both MPIs are
#
# Of the tests those that need more than a build may do (a laboratory of several nodes) are skipped, with the reason.
FROM debian:12 AS demo
WORKDIR /plumbline
COPY . .
RUN ./dev demo
ENV PATH=/plumbline/build/quick/bin:$PATH OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
CMD ["bash"]

FROM demo AS test
RUN ./dev test
